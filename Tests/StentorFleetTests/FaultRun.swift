import Foundation
import StentorMetrics
import Synchronization
import Testing

@testable import StentorFleet

/// The records that a run noted, second by second.
final class Records: Sendable {
    private let state = Mutex<(offenders: [OffenderRecord], reconnects: [ReconnectRecord])>(([], []))

    func add(_ snapshot: RunSnapshot) {
        state.withLock {
            $0.offenders += snapshot.lastSecond.offenders
            $0.reconnects += snapshot.lastSecond.reconnects
        }
    }

    var offenders: [OffenderRecord] { state.withLock { $0.offenders } }
    var reconnects: [ReconnectRecord] { state.withLock { $0.reconnects } }

    /// The numbers of the texts of a device that were counted as lost.
    func lost(_ device: String) -> Set<Int> {
        Set(offenders.filter { $0.device == device && $0.item == .text && $0.fate == .lost }.compactMap(\.sequence))
    }
}

/// What a gateway says that it saw of each device, by the markers of the texts.
struct GatewayTruth {
    struct Device {
        let seen: Set<Int>
        let unsent: Set<Int>
    }

    let devices: [String: Device]
    let texts: Int
    let repliesSent: Int
    let violations: [String: Any]
    private let uploads: [String: Any]

    init(_ json: String) throws {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        texts = try #require(object["texts"] as? Int)
        repliesSent = try #require((object["replies"] as? [String: Any])?["sent"] as? Int)
        violations = try #require(object["violations"] as? [String: Any])
        uploads = object["uploads"] as? [String: Any] ?? [:]
        devices = (object["per_device"] as? [String: [String: Any]] ?? [:]).mapValues { device in
            guard let first = device["first"] as? Int, let highest = device["highest"] as? Int else { return Device(seen: [], unsent: []) }
            let gaps = Set(device["gaps"] as? [Int] ?? [])
            return Device(seen: Set(first...highest).subtracting(gaps), unsent: Set(device["unsent"] as? [Int] ?? []))
        }
    }
}

extension GatewayTruth {
    func uploads(_ name: String) -> Int64? { (uploads[name] as? Int).map(Int64.init) }
    func uploads(_ name: String) -> [String: Int] { uploads[name] as? [String: Int] ?? [:] }
}

extension RunResult {
    /// Every text is accounted for by both ends: what the gateway never saw and what it could not answer is what we count as lost, and
    /// whatever else is lost was cut off while it waited.
    func expectExplained(by records: Records, _ name: String, location: SourceLocation = #_sourceLocation) throws {
        let truth = try GatewayTruth(gateway)
        let name = Comment(rawValue: name)
        #expect(truth.violations.isEmpty, name, sourceLocation: location)
        #expect(count(.messagesInDoubt) == 0, name, sourceLocation: location)
        #expect(count(.messagesDuplicated) + count(.messagesReordered) + count(.messagesUnmatched) == 0, name, sourceLocation: location)
        #expect(count(.messagesAnswered) + count(.messagesLate) <= truth.repliesSent, name, sourceLocation: location)
        var (unseen, lost) = (0, 0)
        for (device, seen) in truth.devices {
            let ours = records.lost(device)
            lost += ours.count
            unseen += ours.subtracting(seen.seen).count
            // A reply that found no socket is missing here too, unless the device left before its deadline.
            #expect(seen.unsent.isSubset(of: ours), name, sourceLocation: location)
        }
        for offender in records.offenders where offender.item == .text && offender.fate == .lost {
            #expect(offender.detail != "", "\(name): \(offender)", sourceLocation: location)
        }
        #expect(count(.messagesSent) == truth.texts + unseen, name, sourceLocation: location)
        let losses = count(.messagesLost)...(count(.messagesLost) + count(.messagesLate))
        #expect(losses.contains(Int64(lost)), name, sourceLocation: location)
        #expect(records.reconnects.count { $0.isReady } == count(.reconnects), name, sourceLocation: location)
    }
}
