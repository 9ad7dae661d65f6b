import StentorLoop

/// Runs a body as a task pinned to an event loop of its own, which lives as long as the call.
public func onLoop<Result: Sendable>(_ body: @escaping @Sendable (EventLoop) async throws -> Result) async throws -> Result {
    SignalSource.ignoreBrokenPipes()
    let loop = try EventLoop(name: "test")
    loop.start()
    defer {
        loop.stop()
        loop.join()
    }
    return try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask(executorPreference: loop) { try await body(loop) }
        guard let result = try await group.next() else { preconditionFailure("a group of one task gave nothing") }
        return result
    }
}
