import StentorBase
import StentorMetrics

/// How many offenders of a run stand in `offenders.jsonl`.
public struct OffenderTally: Sendable, Equatable {
    /// Those that have a line.
    public var recorded: Int
    /// Those beyond the file's bounds, which are only counted.
    public var dropped: Int

    /// Makes a tally.
    public init(recorded: Int = 0, dropped: Int = 0) {
        (self.recorded, self.dropped) = (recorded, dropped)
    }
}

/// `offenders.jsonl`: a line for each item that did not arrive as it should, bounded in every way.
struct OffenderFile: ~Copyable {
    /// What the file holds at most.
    struct Bounds {
        /// Lines of items.
        var lines = 10_000
        /// Lines of one kind of item and fate, so that no kind crowds out the others.
        var linesPerKind = 2000
        /// Bytes, but for the last line.
        var bytes = 8 << 20
    }

    private struct Kind: Hashable {
        let item: OffenderRecord.Item
        let fate: OffenderRecord.Fate
    }

    let file: AppendedFile
    private let bounds: Bounds
    private var lines: [Kind: Int] = [:]
    private(set) var tally = OffenderTally()

    init(_ file: AppendedFile, bounds: Bounds = Bounds()) {
        (self.file, self.bounds) = (file, bounds)
    }

    /// Takes the offenders of a second.
    mutating func append(_ delta: ShardDelta) {
        tally.dropped += delta.offendersDropped
        for record in delta.offenders { append(record) }
    }

    private mutating func append(_ record: OffenderRecord) {
        let kind = Kind(item: record.item, fate: record.fate)
        guard tally.recorded < bounds.lines, lines[kind, default: 0] < bounds.linesPerKind else { return tally.dropped += 1 }
        let line = record.json.lineBytes
        guard file.size + line.count <= bounds.bytes else { return tally.dropped += 1 }
        file.append(line)
        lines[kind, default: 0] += 1
        tally.recorded += 1
    }

    /// Says at the file's end how many are missing; nothing may be appended afterwards.
    mutating func finish() {
        guard tally.dropped > 0 else { return }
        file.append(JSONTree.object(["truncated": .bool(true), "dropped": .integer(tally.dropped)]).lineBytes)
    }
}
