import Glibc
import StentorBase
import StentorFleet
import StentorLoop
import StentorMetrics
import StentorProfile
import StentorPush
import StentorReport
import StentorWire

/// `stentor run`: from a profile to a verdict.
struct RunCommand: Sendable {
    private let arguments: RunArguments
    private let console: Console

    init(_ arguments: RunArguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func carryOut() throws -> ExitCode {
        let profile = try Profile.load(path: arguments.profile, options: decodingOptions)
        if case .embedded = profile.target.endpoint {
            try EmbeddedGateway.check(profile.target.gateway, dialect: profile.target.dialect.rawValue)
        }
        try DescriptorLimit.require(devices: profile.load.peakDevices)
        let fewPorts = try PortLimit.require(profile)
        // A label matters to numbers that leave the run only.
        let labels = try SeriesLabels(profile.push, profile.push == nil && arguments.metricsAddress == nil ? [] : arguments.labels)
        let push = try profile.push.map { try RunPush($0, profile: profile.name, labels: labels) }
        let tokens = try TokenFiles.read(profile.target.token)
        return try EventLoop.runMain(name: "control") { loop in
            // Before the run directory is made: what cannot start leaves nothing behind.
            let scrape = try await RunScrape.start(arguments, profile: profile.name, labels: labels)
            defer { scrape?.stop() }
            let setup = try makeSetup(profile, tokens, warnings: [fewPorts].compactMap(\.self))
            let exports = RunExports(push: push, scrape: scrape)
            return try await RunConduct(setup, arguments: arguments, console: console, exports: exports, control: loop).carryOut()
        }
    }

    private func makeSetup(_ profile: Profile, _ tokens: FleetPlan.Tokens, warnings: [String]) throws(UserFailure) -> RunSetup {
        let startedAt = Double(WallClock.nanosecondsSinceEpoch()) / 1e9
        let directory = try RunDirectory.make(
            below: arguments.outputDirectory ?? profile.output.directory, profile: profile.name, startedAtSeconds: startedAt)
        try directory.write(.profile, Array(profile.resolvedYAML.utf8))
        return RunSetup(
            profile: profile, tokens: tokens, directory: directory, startedAt: startedAt, labels: arguments.labels, warnings: warnings)
    }

    private var decodingOptions: DecodingOptions {
        var given = ProfileArguments()
        (given.overrides, given.target, given.devices) = (arguments.overrides, arguments.target, arguments.devices)
        (given.duration, given.allowedHosts) = (arguments.duration, arguments.allowedHosts)
        return .given(given)
    }
}

/// What is settled before anything is dialled.
struct RunSetup: Sendable {
    let profile: Profile
    let tokens: FleetPlan.Tokens
    let directory: RunDirectory
    let startedAt: Double
    let labels: [Assignment]
    /// What the user should know of the machine, a sentence each.
    let warnings: [String]
}
