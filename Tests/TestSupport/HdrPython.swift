import Testing

/// HdrHistogram for Python (PyPI `hdrhistogram`), the judge of `intervals.hlog`.
public enum HdrPython {
    static let packages = PythonPackages("hdrhistogram", ["hdrhistogram==0.10.3"], imports: "import hdrh.log")

    /// Whether it is here; the first use installs it below `.build`.
    public static var isInstalled: Bool {
        get async { await packages.areInstalled }
    }

    /// Runs a script of its own.
    ///
    /// - Returns: What it printed.
    public static func run(_ script: String, _ arguments: [String]) async throws -> String {
        try await packages.run(script, arguments)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test when HdrHistogram for Python cannot be installed; under `CI=true` the test runs, and fails for want of it.
    public static var requiresHdrPython: Self { HdrPython.packages.required }
}
