import Synchronization
import Testing

/// Bounds how many whole programs are under test at once: too many on a few cores would measure each other.
///
/// Waiters are served in order.
public final class Slots: Sendable {
    private struct State {
        var free: Int
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>
    private let total: Int

    /// Makes free slots.
    public init(_ count: Int) {
        total = count
        state = Mutex(State(free: count))
    }

    /// Runs a body once so many slots are free.
    public func take<Result>(_ count: Int, _ body: () async throws -> Result) async rethrows -> Result {
        let count = min(count, total)
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting.append((count, continuation)) }
            serve()
        }
        defer {
            state.withLock { $0.free += count }
            serve()
        }
        return try await body()
    }

    private func serve() {
        let served = state.withLock { state in
            var served: [CheckedContinuation<Void, Never>] = []
            while let next = state.waiting.first, next.count <= state.free {
                state.free -= next.count
                served.append(next.continuation)
                state.waiting.removeFirst()
            }
            return served
        }
        for continuation in served { continuation.resume() }
    }
}

/// Holds a test back until slots are free.
public struct SlotTrait: TestTrait, SuiteTrait, TestScoping {
    /// The slots that all tests of whole programs share.
    private static let programs = Slots(6)
    /// The slots that all tests share that run fleets within the tests' process: these mostly wait, for real time.
    private static let fleets = Slots(6)

    /// How many slots each test case takes.
    public let count: Int
    /// Whether they are those of fleets.
    let isFleet: Bool
    /// Whether a suite's tests inherit it.
    public var isRecursive: Bool { true }

    /// Runs a test case once its slots are free.
    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await (isFleet ? Self.fleets : Self.programs).take(count, function)
    }
}

extension Trait where Self == SlotTrait {
    /// Runs at most so many tests at once that their slots add up to six.
    ///
    /// - Parameter count: 1 for a program that mostly waits, 2 for a load that needs a part of a core, 6 to be alone.
    public static func slots(_ count: Int) -> Self { SlotTrait(count: count, isFleet: false) }

    /// Runs at most so many tests at once that run fleets themselves that their slots add up to six.
    ///
    /// - Parameter count: 1 for one fleet at a time, 2 for many.
    public static func fleetSlots(_ count: Int) -> Self { SlotTrait(count: count, isFleet: true) }
}
