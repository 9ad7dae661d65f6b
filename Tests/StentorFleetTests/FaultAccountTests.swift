import FleetSupport
import StentorGateway
import StentorMetrics
import StentorProfile
import TestSupport
import Testing

@testable import StentorFleet

/// Faults and drills of devices against a simulated gateway that tells the truth about what it saw: twenty runs at once for each kind.
@Suite(.slots(2)) struct `The accounts of a run with faults` {
    private static func options(_ kind: FaultKind, seed: Int, _ options: inout GatewayOptions) {
        options.seed = UInt64(seed)
        // The pieces of a reply go out together: a slow machine must not make a quiet time of a gap, after which a reply counts as whole.
        options.editGap = .zero
        options.replyDelay = .milliseconds(5)...(.milliseconds(60))
        guard kind.hasMedia else { return }
        options.promptEvery = .milliseconds(250)
    }

    private static func run(_ kind: FaultKind, seed: Int, isSecure: Bool = false) async throws -> RunResult {
        let profile = try kind.profile(
            seed: seed, devices: kind.devices, tls: isSecure ? "ca_file: '\(StentorRun.fixture("tls/ca.pem"))'" : nil)
        return try await runFleet(profile, loops: 1) { options in
            Self.options(kind, seed: seed, &options)
            guard isSecure else { return }
            options.tlsCertificate = StentorRun.fixture("tls/server.pem")
            options.tlsKey = StentorRun.fixture("tls/server.key")
        }
    }

    /// Twenty seeds, each of them checked; a drill that came while a slow machine had no device ready says so, and that is all right.
    private static func expectAgreement(of kind: FaultKind, isSecure: Bool = false) async throws {
        let happened = try await eachSeed { seed in
            let result = try await run(kind, seed: seed, isSecure: isSecure)
            let name = "\(kind.name) with seed \(seed)"
            result.expectSound(Int64(kind.devices), warnings: result.outcome.warnings.filter { $0.hasSuffix("cut off no ready device") })
            let truth = try GatewayTruth(result.gateway)
            result.expectAgreement(with: truth, on: FaultKind.ids(seed: seed, devices: kind.devices), isOrderly: kind.isOrderly, name)
            truth.expectMediaAgreement(with: CountedRuns([result]), isOrderly: kind.isOrderly, name)
            if kind.cutsPhotos { truth.expectPhotosCut(Int(kind.happened(result)), CountedRuns([result]), name) }
            return kind.happened(result)
        }
        #expect(happened > 0)
    }

    @Test(arguments: FaultKind.faults + FaultKind.drills + FaultKind.restarts)
    func `equal the gateway's to the last message, whatever the seed`(kind: FaultKind) async throws {
        try await Self.expectAgreement(of: kind)
    }

    @Test(
        arguments: (FaultKind.faults + FaultKind.drills).filter {
            ["slow_reader", "half_open", "suspend", "drill half_open"].contains($0.name)
        })
    func `equal the gateway's over TLS too`(kind: FaultKind) async throws {
        try await Self.expectAgreement(of: kind, isSecure: true)
    }
}
