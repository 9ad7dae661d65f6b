import StentorBase

/// Collects the faults of one profile, so that all are reported at once.
final class FaultList {
    /// Name of the profile's file, as faults show it.
    let file: String
    private var entries: [(mark: YAMLMark, failure: UserFailure)] = []
    /// Faults added, also those that were not kept.
    private(set) var count = 0

    /// More faults than this are counted, not shown: no profile may fill a terminal.
    static let limit = 100
    // Sorting takes place over what is kept: enough that the first hundred of any sane file are the first.
    private static let keptLimit = 2000

    init(file: String) {
        self.file = file
    }

    func add(_ message: String, at mark: YAMLMark, hint: String = "") {
        count += 1
        guard entries.count < Self.keptLimit else { return }
        entries.append((mark, UserFailure(.profile, message, place: mark.place(in: file), hint: hint)))
    }

    /// All faults: those of the file in source order, then those of flags in the order in which they were found.
    func failures() -> UserFailures? {
        guard !entries.isEmpty else { return nil }
        let indexed = entries.enumerated().sorted { left, right in
            let (a, b) = (left.element.mark, right.element.mark)
            let keyA = a.flag == nil ? (0, a.line, a.column, left.offset) : (1, 0, 0, left.offset)
            let keyB = b.flag == nil ? (0, b.line, b.column, right.offset) : (1, 0, 0, right.offset)
            return keyA < keyB
        }
        var all = indexed.prefix(Self.limit).map(\.element.failure)
        if count > Self.limit {
            all.append(UserFailure(.profile, "\(count - Self.limit) more faults are not shown", place: file))
        }
        return UserFailures(all)
    }
}
