import StentorBase

/// Something in which runs are not alike, so that a difference of their numbers may come from it.
public struct Unlikeness: Sendable, Equatable {
    /// What differs, for instance `profile`.
    public let what: String
    /// The values and whose they are, in one line.
    public let detail: String
}

/// Whether runs may be compared at all: the same load, by an equal machine, measured soundly.
public enum LikeForLike {
    /// All in which the runs are not alike; empty: they are.
    ///
    /// Looked at are the profile (its digest leaves the target out), the seed, the planned duration, the class of the host (cores, and memory to
    /// 5 %), and the verdict: a run that is invalid, interrupted or incomplete measured something else than its profile says.
    public static func check(_ base: [ComparedRun], _ candidate: [ComparedRun]) -> [Unlikeness] {
        let runs = base + candidate
        let same: [(String, (ComparedRun) -> String)] = [
            ("profile", { $0.profileDigest.isEmpty ? "unknown" : "\($0.profile) \($0.profileDigest)" }),
            ("seed", { $0.seed.isEmpty ? "unknown" : $0.seed }),
            ("duration", { $0.plannedSeconds.map(Quantity.secondsText) ?? "unknown" }),
            ("cores", { $0.cores.map(String.init) ?? "unknown" }),
        ]
        var found = same.compactMap { what, value in differing(runs, value).map { Unlikeness(what: what, detail: $0) } }
        let memory = runs.compactMap(\.memoryBytes)
        if let least = memory.min(), let most = memory.max(), Double(most) > Double(least) * 1.05 {
            let detail = differing(runs) { $0.memoryBytes.map { Quantity.bytesText(Double($0)) } ?? "unknown" }
            found.append(Unlikeness(what: "memory", detail: detail ?? "\(least) and \(most) bytes"))
        }
        for run in runs where !["pass", "fail"].contains(run.verdict) {
            let reason = run.reasons.first.map { ": \($0)" } ?? ""
            found.append(Unlikeness(what: "verdict", detail: "\(run.path) is \(run.verdict)\(reason)"))
        }
        return found
    }

    /// Nil when all runs have the same known value; otherwise each value with the runs that have it.
    private static func differing(_ runs: [ComparedRun], _ value: (ComparedRun) -> String) -> String? {
        var groups: [(value: String, paths: [String])] = []
        for run in runs {
            let own = value(run)
            if let index = groups.firstIndex(where: { $0.value == own }) {
                groups[index].paths.append(run.path)
            } else {
                groups.append((own, [run.path]))
            }
        }
        guard groups.count > 1 || groups.first?.value == "unknown" else { return nil }
        return groups.map { "\($0.value) (\($0.paths.joined(separator: ", ")))" }.joined(separator: ", but ")
    }
}
