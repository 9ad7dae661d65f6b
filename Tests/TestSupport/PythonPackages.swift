import Foundation
import Testing

/// Packages of PyPI that judge Stentor's numbers, in an environment of their own below `.build`; the first use installs them.
public final class PythonPackages: Sendable {
    private let installation: Task<Bool, Never>
    private let python: String
    private let names: String

    /// Names packages; nothing is installed yet.
    ///
    /// - Parameters:
    ///   - home: The environment's folder below `.build/judges`; one for each set of packages.
    ///   - packages: With their versions, for instance `hdrhistogram==0.10.3`.
    ///   - imports: Python that succeeds only when they are there, for instance `import hdrh.log`.
    public init(_ home: String, _ packages: [String], imports: String) {
        let folder = Repository.root + "/.build/judges/" + home
        let python = folder + "/bin/python"
        self.python = python
        names = packages.joined(separator: ", ")
        // Every test that needs them waits for the same installation.
        installation = Task {
            if await Self.succeeds([python, "-c", imports]) { return true }
            guard await Self.succeeds(["python3", "-m", "venv", "--clear", folder]) else { return false }
            return await Self.succeeds([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"] + packages)
        }
    }

    /// Whether they are here; the first use installs them, which takes up to some minutes.
    public var areInstalled: Bool {
        get async { await installation.value }
    }

    /// Runs a script of its own, once they are installed.
    ///
    /// - Returns: What it printed.
    public func run(_ script: String, _ arguments: [String] = []) async throws -> String {
        try #require(await areInstalled, "\(names) cannot be installed from PyPI")
        let outcome = try await ChildProcess.run([python, "-c", script] + arguments, within: .seconds(120))
        guard outcome.exitCode == 0 else { throw ChildFailure("the judge failed", outcome) }
        return outcome.output
    }

    /// Skips a test when they cannot be installed; under `CI=true` the test runs, and fails for want of them.
    public var required: ConditionTrait {
        .enabled("\(names) cannot be installed from PyPI") {
            if Peers.isRequired { return true }
            return await self.areInstalled
        }
    }

    /// Skips a test when they cannot be installed, also under `CI=true`: for packages that are large and only a second opinion.
    public var whereInstallable: ConditionTrait {
        .enabled("\(names) cannot be installed from PyPI") { await self.areInstalled }
    }

    private static func succeeds(_ command: [String]) async -> Bool {
        (try? await ChildProcess.run(command, within: .seconds(300)))?.exitCode == 0
    }
}
