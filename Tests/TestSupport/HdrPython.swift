import Foundation
import Testing

/// HdrHistogram for Python (PyPI `hdrhistogram`), the judge of `intervals.hlog`.
public enum HdrPython {
    private static let home = Repository.root + "/.build/judges/hdrhistogram"
    private static let python = home + "/bin/python"

    private static let installation = Task<Bool, Never> {
        if await succeeds([python, "-c", "import hdrh.log"]) { return true }
        guard await succeeds(["python3", "-m", "venv", "--clear", home]) else { return false }
        return await succeeds([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "hdrhistogram==0.10.3"])
    }

    /// Whether it is here; the first use installs it below `.build`.
    public static var isInstalled: Bool {
        get async { await installation.value }
    }

    /// Runs a script of its own.
    ///
    /// - Returns: What it printed.
    public static func run(_ script: String, _ arguments: [String]) async throws -> String {
        let outcome = try await ChildProcess.run([python, "-c", script] + arguments, within: .seconds(60))
        guard outcome.exitCode == 0 else { throw ChildFailure("the judge failed", outcome) }
        return outcome.output
    }

    private static func succeeds(_ command: [String]) async -> Bool {
        (try? await ChildProcess.run(command, within: .seconds(120)))?.exitCode == 0
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test when HdrHistogram for Python cannot be installed; under `CI=true` the test runs, and fails for want of it.
    public static var requiresHdrPython: Self {
        .enabled("hdrhistogram cannot be installed from PyPI") {
            if Peers.isRequired { return true }
            return await HdrPython.isInstalled
        }
    }
}
