import StentorBase
import StentorMetrics

/// One number over the recorded runs of a profile, with the places where its level changed.
public struct HistoryTrend: Sendable {
    /// A run with its value.
    public struct Point: Sendable {
        /// The run.
        public let run: RecordedRun
        /// Its value; nil when it was not measured, or there were too few samples.
        public let value: Double?
        /// The samples behind it; nil for counts.
        public let samples: Int?
    }

    /// A change of the level.
    public struct Change: Sendable {
        /// The index in ``HistoryTrend/points`` of the first run on the new level.
        public let index: Int
        /// The median before and after it.
        public let before: Double, after: Double
        /// How probable so large a difference would be without a change.
        public let probability: Double
        /// How many runs with a value are on the new level, up to the next change.
        public let runs: Int
        /// What else changed there, a few words each; empty: nothing that the history knows.
        public let alsoChanged: [String]
        /// With which run that changed, counted from the first one on the new level: −2 ... 2. A place is known to a run or two only.
        public let alsoChangedOffset: Int
    }

    /// The profile's name.
    public let profile: String
    /// The number.
    public let number: RunNumber
    /// The runs that passed or failed, oldest first.
    public let points: [Point]
    /// Runs of the profile that did not, by how they ended.
    public let leftOut: [(verdict: Verdict, count: Int)]
    /// The changes, oldest first; nil: there are too few runs to say.
    public let changes: [Change]?

    /// How many runs have a value.
    public var valueCount: Int { points.count { $0.value != nil } }

    /// Reads a trend.
    ///
    /// - Parameters:
    ///   - selection: Which runs; its profile must be set, its verdicts must not.
    /// - Throws: A failure of cause `.arguments` when the history has no run of the profile, of cause `.file` when it cannot be read.
    public init(_ number: RunNumber, of selection: HistorySelection, in history: RunHistory) throws(UserFailure) {
        let profile = selection.profile ?? ""
        let all = try history.runs()
        guard all.contains(where: { $0.profile == profile }) else {
            throw UserFailure(
                .arguments, "the history has no run of the profile '\(PrintableText.clean(profile))'", place: "--profile",
                hint: Suggestion.hint(for: profile, among: Set(all.map(\.profile)).sorted()))
        }
        var whole = selection
        whole.last = nil
        let runs = whole.chosen(of: all)
        let judged = runs.filter(\.isJudged)
        let values = try history.values(of: number)
        self.init(
            profile, number,
            points: judged.prefix(selection.last ?? judged.count).reversed().map {
                Point(run: $0, value: values[$0.key]?.value, samples: values[$0.key]?.samples)
            },
            leftOut: Verdict.allCases.map { verdict in (verdict, runs.count { !$0.isJudged && $0.verdict == verdict }) }.filter { $0.1 > 0 }
        )
    }

    init(_ profile: String, _ number: RunNumber, points: [Point], leftOut: [(verdict: Verdict, count: Int)] = []) {
        (self.profile, self.number, self.points, self.leftOut) = (profile, number, points, leftOut)
        let measured = points.indices.filter { points[$0].value != nil }
        guard let found = ChangePoints(measured.compactMap { points[$0].value }) else {
            changes = nil
            return
        }
        let ends = found.changes.dropFirst().map(\.index) + [measured.count]
        changes = zip(found.changes, ends).map { change, end in
            let nearby = Self.differences(near: change.index, measured.map { points[$0].run })
            return Change(
                index: measured[change.index], before: change.before, after: change.after, probability: change.probability,
                runs: end - change.index, alsoChanged: nearby.words, alsoChangedOffset: nearby.offset)
        }
    }

    private static func differences(near place: Int, _ runs: [RecordedRun]) -> (words: [String], offset: Int) {
        for offset in [0, -1, 1, -2, 2] where runs.indices.contains(place + offset - 1) && runs.indices.contains(place + offset) {
            let words = differences(runs[place + offset - 1], runs[place + offset])
            if !words.isEmpty { return (words, offset) }
        }
        return ([], 0)
    }

    private static func differences(_ before: RecordedRun, _ after: RecordedRun) -> [String] {
        func from(_ what: String, _ old: String?, _ new: String?) -> String? {
            old == new
                ? nil : "\(what) \(old.flatMap { $0.isEmpty ? nil : $0 } ?? "none") → \(new.flatMap { $0.isEmpty ? nil : $0 } ?? "none")"
        }
        let names = Set((before.labels + after.labels).map(\.name)).sorted()
        let labels = names.map { name in
            from(name, before.labels.first { $0.name == name }?.value, after.labels.first { $0.name == name }?.value)
        }
        let others = [
            from("server version", before.serverVersion, after.serverVersion), from("stentor", before.version, after.version),
            from("host", before.hostname, after.hostname), from("target", before.targetHost, after.targetHost),
            before.profileDigest == after.profileDigest ? nil : "the profile's content",
        ]
        return (labels + others).compactMap(\.self)
    }
}
