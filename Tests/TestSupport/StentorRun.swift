import Foundation

/// A finished `stentor run` in a folder of its own.
public struct StentorRun: Sendable {
    /// What the process left.
    public let outcome: ChildProcess.Outcome
    /// Where it ran; removed with the last reference.
    public let folder: FreshDirectory
    /// `summary.json`; ``Facts/null`` when there is none.
    public let summary: Facts
    /// `summary.json` as it stands there; empty when there is none.
    public let summaryText: String
    /// The absolute path of its run directory; nil when there is none.
    public let path: String?

    /// A run that goes on.
    public struct Ongoing: Sendable {
        /// Its process.
        public let process: ChildProcess
        /// Where it runs.
        public let folder: FreshDirectory

        /// Waits for the end.
        public func finish(within limit: Duration = .seconds(60)) async throws -> StentorRun {
            try StentorRun(outcome: try await process.exit(within: limit), folder: folder)
        }
    }

    /// The absolute path of a fixture, for instance `profiles/short.yaml`.
    public static func fixture(_ name: String) -> String {
        Repository.root + "/Tests/Fixtures/" + name
    }

    /// The token that runs get in `STENTOR_TOKEN`.
    public static let token = "tok-5f8e1c7a-never-to-be-seen"

    /// Starts `stentor run` with its run directories below a fresh folder.
    ///
    /// - Parameters:
    ///   - profile: The profile's path.
    ///   - options: Further arguments.
    ///   - environment: Set over the tests' own; unless they stand here, `STENTOR_TOKEN` is ``token`` and `STENTOR_HISTORY` is
    ///     `history.sqlite` in the folder.
    ///   - folder: Where it runs; nil: a fresh one.
    public static func start(
        _ profile: String, _ options: [String] = [], environment: [String: String] = [:], in folder: FreshDirectory? = nil
    ) throws -> Ongoing {
        let folder = try folder ?? FreshDirectory()
        let process = try ChildProcess(
            [StentorBinary.path, "run", profile, "--out", folder.path("runs")] + options,
            environment: ["STENTOR_TOKEN": token, "STENTOR_HISTORY": folder.path("history.sqlite")].merging(environment) { $1 },
            directory: folder.path)
        return Ongoing(process: process, folder: folder)
    }

    /// Does something again when its run says that this machine had too little CPU for it (98): such a run proves nothing.
    ///
    /// - Parameters:
    ///   - body: What is done, three times at most.
    ///   - run: Where the run is in the result.
    public static func undisturbed<Result>(_ run: (Result) -> StentorRun, _ body: () async throws -> Result) async throws -> Result {
        for _ in 1...2 {
            let result = try await body()
            if run(result).outcome.exitCode != 98 { return result }
        }
        return try await body()
    }

    /// Starts a run and waits for its end; again when this machine was too busy for it, unless the folder is given.
    public static func run(
        _ profile: String, _ options: [String] = [], environment: [String: String] = [:], in folder: FreshDirectory? = nil,
        within limit: Duration = .seconds(60)
    ) async throws -> StentorRun {
        if let folder { return try await start(profile, options, environment: environment, in: folder).finish(within: limit) }
        return try await undisturbed({ $0 }) {
            try await start(profile, options, environment: environment).finish(within: limit)
        }
    }

    /// Reads what a run left below `runs` of a folder.
    public init(outcome: ChildProcess.Outcome, folder: FreshDirectory) throws {
        self.outcome = outcome
        self.folder = folder
        let runs = (try? FileManager.default.contentsOfDirectory(atPath: folder.path("runs"))) ?? []
        path = runs.sorted().last.map { folder.path("runs") + "/" + $0 }
        summaryText = path.flatMap { try? String(contentsOfFile: $0 + "/summary.json", encoding: .utf8) } ?? ""
        summary = summaryText.isEmpty ? .null : try Facts(summaryText)
    }

    /// A count of the summary; what was not measured (`null`) is 0.
    ///
    /// - Throws: ``ChildFailure`` when the summary has no such count.
    public func count(_ name: String) throws -> Int {
        guard let value = summary["counts"].members[name] else { throw ChildFailure("no count '\(name)'", outcome) }
        return value.count ?? 0
    }

    /// A count of a family of labels, 0 when the label is not there.
    public func labelled(_ family: String, _ label: String) -> Int {
        summary["by_label", family, label].count ?? 0
    }

    /// The last line of stdout.
    public var lastLine: String {
        String(outcome.output.split(separator: "\n").last ?? "")
    }

    /// All that the run left: stdout, stderr and every file of its directory, by name.
    public func everything() throws -> [String: String] {
        var all = ["stdout": outcome.output, "stderr": outcome.errors]
        for file in try path.map({ try FileManager.default.subpathsOfDirectory(atPath: $0) }) ?? [] {
            all[file] = try String(contentsOfFile: (path ?? "") + "/" + file, encoding: .utf8)
        }
        return all
    }
}
