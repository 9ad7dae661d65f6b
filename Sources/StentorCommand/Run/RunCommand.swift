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
        let push = try profile.push.map { try RunPush($0, profile: profile.name, labels: arguments.labels) }
        let tokens = try TokenFiles.read(profile.target.token)
        let startedAt = Double(WallClock.nanosecondsSinceEpoch()) / 1e9
        let directory = try RunDirectory.make(
            below: arguments.outputDirectory ?? profile.output.directory, profile: profile.name, startedAtSeconds: startedAt)
        try directory.write(.profile, Array(profile.resolvedYAML.utf8))
        let setup = RunSetup(
            profile: profile, tokens: tokens, directory: directory, startedAt: startedAt, labels: arguments.labels,
            warnings: [fewPorts].compactMap(\.self))
        return try EventLoop.runMain(name: "control") { loop in
            try await RunConduct(setup, arguments: arguments, console: console, push: push, control: loop).carryOut()
        }
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
