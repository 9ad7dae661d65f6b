import FleetSupport
import Foundation
import StentorFleet
import StentorMetrics
import StentorProfile
import TestSupport
import Testing

/// Twenty fleets against a gateway that a drill of one of them ends by a signal, and that is started again on its port as a supervisor would.
@Suite(.slots(2), .requiresPeer("gateways"))
struct SignalledGatewayTests {
    enum Program: CaseIterable {
        case ours, independent

        /// Starts a life of the gateway.
        ///
        /// - Parameters:
        ///   - address: `127.0.0.1:PORT`.
        ///   - number: The life, from 1: each has a seed of its own.
        func start(at address: String, life number: Int) async throws -> PeerGateway {
            let common = ["--listen", address, "--seed", "\(number)"]
            switch self {
            case .independent:
                return try await PythonPeers.gateway(
                    "hermes_gateway.py",
                    ["--token", fleetToken, "--life", "240", "--edit-gap", "0", "--reply-delay", "0.005..0.06"] + common)
            case .ours:
                let process = try ChildProcess(
                    [StentorBinary.path, "serve", "--life", "240s", "--edit-gap", "0ms", "--reply-delay", "5ms..60ms"] + common,
                    environment: ["STENTOR_GATEWAY_TOKEN": fleetToken])
                let line = try await process.line(startingWith: "listening on ")
                return PeerGateway(process: process, url: String(line.dropFirst("listening on ".count)))
            }
        }
    }

    /// Runs the fleets; the first of them sends the signal.
    private func run(_ program: Program, signal: String) async throws -> (runs: [Int: RunResult], first: PeerGateway, second: String) {
        let first = try await program.start(at: "127.0.0.1:0", life: 1)
        let address = try #require(URL(string: first.url)?.port.map { "127.0.0.1:\($0)" })
        let drill = "drills: [{at: 1500ms, name: signal, command: [sh, -c, 'kill -\(signal) \(first.process.pid)']}]"
        async let second = Self.restart(program, when: first, at: address)
        let runs = RunTable()
        _ = try await eachSeed { seed in
            let profile = try FaultKind.signal.profile(seed: seed, devices: 1, lines: seed == 1 ? drill : "")
            runs[seed] = try await runFleet(profile, at: first.url)
            return 0
        }
        return (runs.all, first, try await second.stop())
    }

    private static func restart(_ program: Program, when first: PeerGateway, at address: String) async throws -> PeerGateway {
        try await first.process.exit(within: .seconds(60))
        return try await program.start(at: address, life: 2)
    }

    @Test(arguments: Program.allCases)
    func `both lives of a gateway that was asked to end saw what the devices say`(program: Program) async throws {
        let (runs, first, second) = try await run(program, signal: "TERM")
        var truth = try GatewayTruth(try await first.totals())
        truth.add(try GatewayTruth(second))
        for (seed, result) in runs {
            result.expectSound(1)
            result.expectAgreement(with: truth, on: FaultKind.ids(seed: seed, devices: 1), isOrderly: false, "\(program) with seed \(seed)")
        }
        truth.expectMediaAgreement(with: CountedRuns(Array(runs.values)), isOrderly: false, "\(program)")
        #expect(runs.count == 20 && runs.values.reduce(0) { $0 + FaultKind.signal.happened($1) } > 0)
        #expect(truth.devices.values.contains { $0.texts > 0 })
    }

    /// What the killed life saw died with it. But replies come in order, and the second life cuts nothing off: so what was cut off are the last texts of the
    /// first life, without a gap, and the second life saw every text from its first one on.
    @Test(arguments: Program.allCases)
    func `of a gateway that was killed only the last texts of its life are cut off`(program: Program) async throws {
        let (runs, _, second) = try await run(program, signal: "KILL")
        let truth = try GatewayTruth(second)
        #expect(truth.counts("violations").isEmpty)
        #expect(
            truth.devices.isEmpty == runs.values.allSatisfy { $0.count(.reconnects) == 0 }, "who came back came back to the second life")
        for (seed, result) in runs {
            result.expectSound(1)
            #expect(result.count(.messagesDuplicated) + result.count(.messagesReordered) + result.count(.messagesUnmatched) == 0)
            guard let id = FaultKind.ids(seed: seed, devices: 1).first, let theirs = truth.devices[id] else { continue }
            expectSuffixLost(result, id, theirs, "seed \(seed)")
        }
        #expect(runs.count == 20 && runs.values.reduce(0) { $0 + FaultKind.signal.happened($1) } > 0)
    }

    private func expectSuffixLost(_ result: RunResult, _ id: String, _ theirs: GatewayTruth.Device, _ name: String) {
        guard let earliest = theirs.seen.min(), let last = theirs.seen.max() else { return }
        let lost = result.records.lost(id)
        let cut = Set(result.records.offenders.filter { $0.fate == .lost && $0.detail != "" }.compactMap(\.sequence)).intersection(lost)
        #expect(theirs.texts == theirs.seen.count && theirs.seen.count == last - earliest + 1, "\(name)")
        #expect(cut.allSatisfy { $0 < earliest }, "\(name): \(cut), second life from \(earliest)")
        #expect(result.count(.messagesLost) == lost.count, "\(name)")
        #expect(lost.allSatisfy { $0 < earliest || theirs.seen.contains($0) }, "\(name): \(lost)")
        // A machine so slow that a text's time was over before its reply leaves others lost too.
        guard let first = cut.min(), let highest = cut.max(), lost == cut else { return }
        #expect(cut.count == highest - first + 1, "\(name): \(cut)")
        #expect(Int(result.count(.messagesSent)) == highest + theirs.seen.count, "\(name)")
        #expect(Int(result.count(.messagesAnswered) + result.count(.messagesLate)) == first - 1 + theirs.seen.count, "\(name)")
    }
}
