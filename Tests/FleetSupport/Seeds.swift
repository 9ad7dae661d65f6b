import Synchronization

/// Does something with the seeds 1 to 20 at once, and adds up what it gives.
///
/// A fleet has two threads that mostly wait.
public func eachSeed(_ body: @escaping @Sendable (_ seed: Int) async throws -> Int64) async throws -> Int64 {
    try await withThrowingTaskGroup(of: Int64.self) { group in
        for seed in 1...20 { group.addTask { try await body(seed) } }
        return try await group.reduce(0, +)
    }
}

/// The results of fleets that run at once, by seed.
public final class RunTable: Sendable {
    private let state = Mutex<[Int: RunResult]>([:])

    /// Starts empty.
    public init() {}

    /// The result of a seed; nil: none yet.
    public subscript(seed: Int) -> RunResult? {
        get { state.withLock { $0[seed] } }
        set { state.withLock { $0[seed] = newValue } }
    }

    /// All of them.
    public var all: [Int: RunResult] { state.withLock { $0 } }
}
