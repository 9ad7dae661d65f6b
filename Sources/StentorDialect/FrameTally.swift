/// Counts messages by type, for all sessions of one loop. Confined to the loop's thread.
public final class FrameTally {
    /// The names of the types, in the order of ``counts``.
    public let names: [String]
    /// How often each type was seen.
    public private(set) var counts: [Int]

    /// Starts at zero.
    public init(names: [String]) {
        self.names = names
        counts = Array(repeating: 0, count: names.count)
    }

    /// Counts a message of a type.
    func note(_ index: Int) { counts[index] += 1 }
}
