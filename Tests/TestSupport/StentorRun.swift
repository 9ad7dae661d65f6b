import Foundation
import StentorBase

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
    /// Whether this machine was seen to be busy while it ran.
    public let wasMachineBusy: Bool

    /// A run that goes on.
    public struct Ongoing: Sendable {
        /// Its process.
        public let process: ChildProcess
        /// Where it runs.
        public let folder: FreshDirectory
        /// When it was started.
        let begin: Instant

        /// Waits for the end.
        public func finish(within limit: Duration = .seconds(120)) async throws -> StentorRun {
            let outcome = try await process.exit(within: limit)
            return try StentorRun(outcome: outcome, folder: folder, wasMachineBusy: MachineWatch.shared.sawBusyMachine(since: begin))
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
        _ = MachineWatch.shared
        let begin = Instant.now()
        let process = try ChildProcess(
            [StentorBinary.path, "run", profile, "--out", folder.path("runs")] + options,
            environment: ["STENTOR_TOKEN": token, "STENTOR_HISTORY": folder.path("history.sqlite")].merging(environment) { $1 },
            directory: folder.path)
        return Ongoing(process: process, folder: folder, begin: begin)
    }

    /// Does something again when its run says that this machine had too little CPU for it: such a run proves little.
    ///
    /// - Parameters:
    ///   - body: What is done, three times at most. What the last one says is judged, see ``isStarved``.
    ///   - run: Where the run is in the result.
    public static func undisturbed<Result>(_ run: (Result) -> StentorRun, _ body: () async throws -> Result) async throws -> Result {
        for _ in 1...2 {
            let result = try await body()
            if !run(result).isStarved { return result }
        }
        return try await body()
    }

    /// Starts a run and waits for its end; again when this machine was too busy for it, unless the folder is given.
    public static func run(
        _ profile: String, _ options: [String] = [], environment: [String: String] = [:], in folder: FreshDirectory? = nil,
        within limit: Duration = .seconds(120)
    ) async throws -> StentorRun {
        if let folder { return try await start(profile, options, environment: environment, in: folder).finish(within: limit) }
        return try await undisturbed({ $0 }) {
            try await start(profile, options, environment: environment).finish(within: limit)
        }
    }

    /// Reads what a run left below `runs` of a folder.
    ///
    /// - Parameter wasMachineBusy: Whether this machine was seen to be busy while it ran; false: nothing excuses it.
    public init(outcome: ChildProcess.Outcome, folder: FreshDirectory, wasMachineBusy: Bool = false) throws {
        self.outcome = outcome
        self.folder = folder
        self.wasMachineBusy = wasMachineBusy
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

    /// Why it did not pass, but for the CPU that its own loops lacked.
    public var reasons: [String] {
        summary["reasons"].elements.compactMap(\.text).filter { !Self.isStarvation($0) }
    }

    /// Whether it says that its own loops had too little CPU, and the machine was seen to be busy: then it may be invalid in place of its
    /// verdict, and what depends on times may be otherwise. Everything else must hold.
    public var isStarved: Bool {
        wasMachineBusy && summary["reasons"].elements.contains { $0.text.map(Self.isStarvation) ?? false }
    }

    private static func isStarvation(_ reason: String) -> Bool {
        ["the generator stood still for ", "the event loops were late by "].contains { reason.hasPrefix($0) }
    }

    /// stderr without the lines of progress, of which a run has one every ten seconds.
    public var complaints: String {
        // A clock stands before two spaces in these: 00:10/00:03  steady  ready 20/20 ...
        outcome.errors.split(separator: "\n").filter { line in
            let clock = line.prefix { $0.isNumber || $0 == ":" || $0 == "/" }
            return !clock.contains(":") || !line.dropFirst(clock.count).hasPrefix("  ")
        }.map { $0 + "\n" }.joined()
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
