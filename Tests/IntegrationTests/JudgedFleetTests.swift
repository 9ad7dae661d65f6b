import FleetSupport
import StentorFleet
import StentorMetrics
import StentorProfile
import TestSupport
import Testing

/// Faults and drills against an independent gateway: twenty fleets of a seed each, one after the other's heels, against one gateway that tells
/// of each device what it saw.
@Suite(.slots(2), .requiresPeer("gateways"))
struct JudgedFleetTests {
    private static let devices = 1
    private static let pace = [
        "--token", fleetToken, "--life", "240", "--edits", "2", "--edit-gap", "0", "--reply-delay", "0.005..0.06",
    ]
    private static let media = ["--prompt-every", "0.25", "--send-photo-every", "0.3", "--photo-bytes", "2000..20000"]

    /// Twenty seeds against one gateway, and what both say.
    private static func run(_ kind: FaultKind, gateway options: [String] = []) async throws -> (runs: [Int: RunResult], truth: GatewayTruth)
    {
        let judge = try await PythonPeers.gateway("hermes_gateway.py", pace + (kind.hasMedia ? media : []) + options)
        let runs = RunTable()
        _ = try await eachSeed { seed in
            runs[seed] = try await runFleet(kind.profile(seed: seed, devices: devices), at: judge.url)
            return 0
        }
        return (runs.all, try GatewayTruth(try await judge.stop()))
    }

    private static func expectAgreement(_ kind: FaultKind, _ runs: [Int: RunResult], _ truth: GatewayTruth) {
        #expect(runs.count == 20)
        for (seed, result) in runs {
            let name = "\(kind.name) with seed \(seed)"
            result.expectSound(Int64(devices), warnings: result.outcome.warnings.filter { $0.hasSuffix("cut off no ready device") })
            result.expectAgreement(with: truth, on: FaultKind.ids(seed: seed, devices: devices), isOrderly: kind.isOrderly, name)
        }
        truth.expectMediaAgreement(with: CountedRuns(Array(runs.values)), isOrderly: kind.isOrderly, kind.name)
        let happened = runs.values.reduce(0) { $0 + kind.happened($1) }
        #expect(happened > 0)
        if kind.cutsPhotos { truth.expectPhotosCut(Int(happened), CountedRuns(Array(runs.values)), kind.name) }
    }

    @Test(arguments: FaultKind.faults + FaultKind.drills)
    func `an independent gateway saw the same, text by text, whatever the seed`(kind: FaultKind) async throws {
        let (runs, truth) = try await Self.run(kind)
        Self.expectAgreement(kind, runs, truth)
    }

    @Test func `what the gateway cuts off is accounted for just the same`() async throws {
        let (runs, truth) = try await Self.run(.cutByGateway, gateway: ["--drop-after", "0.2..0.7"])
        Self.expectAgreement(.cutByGateway, runs, truth)
        #expect(truth.count("dropped") > 0)
    }
}
