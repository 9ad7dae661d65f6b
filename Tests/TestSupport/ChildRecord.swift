import Foundation
import StentorBase
import Synchronization

/// What is known of a child; shared by its owner and the two threads that wait for it.
final class ChildRecord: Sendable {
    enum Want {
        case line(prefix: String, stream: ChildProcess.Stream, occurrence: Int)
        case exit
    }

    private struct Waiter {
        let want: Want
        let deadline: Instant
        let continuation: CheckedContinuation<String, any Error>
    }

    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var openStreams = 2
        var exitCode: Int32?
        var isAbandoned = false
        var waiters: [Waiter] = []

        var isOver: Bool { exitCode != nil && openStreams == 0 }
        var outcome: ChildProcess.Outcome {
            ChildProcess.Outcome(
                exitCode: exitCode ?? -1, output: String(decoding: output, as: UTF8.self), errors: String(decoding: errors, as: UTF8.self))
        }
    }

    private let command: String
    private let pid: pid_t
    private let state = Mutex(State())
    private let alarm: (read: Int32, write: Int32)

    /// - Parameter alarm: A pipe that wakes the reading thread; closed by the record.
    init(command: String, pid: pid_t, alarm: (read: Int32, write: Int32)) {
        self.command = command
        self.pid = pid
        self.alarm = alarm
    }

    deinit {
        close(alarm.read)
        close(alarm.write)
    }

    var outcome: ChildProcess.Outcome { state.withLock { $0.outcome } }

    func wait(for want: Want, until deadline: Instant) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.waiters.append(Waiter(want: want, deadline: deadline, continuation: continuation)) }
            settle()
            wake()
        }
    }

    func signal(_ number: Int32) {
        // Under the lock: the id is ours only until the child is reaped.
        state.withLock { if $0.exitCode == nil { kill(pid, number) } }
    }

    func abandon() {
        signal(SIGKILL)
        state.withLock { $0.isAbandoned = true }
        wake()
    }

    /// Blocks until the child has ended.
    func awaitExit() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        state.withLock { state in
            var status: Int32 = 0
            let isReaped = waitpid(pid, &status, 0) == pid
            let signal = status & 0x7F
            state.exitCode = !isReaped ? -1 : signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
        wake()
    }

    /// Blocks until the child is over and nobody waits for it any more; takes over both descriptors.
    func readStreams(output: Int32, errors: Int32) {
        var sources = [output, errors, alarm.read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while let timeout = pollTimeout() {
            guard poll(&sources, nfds_t(sources.count), timeout) >= 0 || errno == EINTR else { break }
            for index in sources.indices where sources[index].fd >= 0 && sources[index].revents != 0 {
                if !drain(index, sources[index].fd) { sources[index].fd = -1 }
                sources[index].revents = 0
            }
            settle()
        }
        close(output)
        close(errors)
    }

    /// Milliseconds until the next deadline, -1 for never; nil when there is nothing left to do.
    private func pollTimeout() -> Int32? {
        state.withLock { state in
            if state.isAbandoned || (state.isOver && state.waiters.isEmpty) { return nil }
            guard let next = state.waiters.map(\.deadline).min() else { return -1 }
            let milliseconds = next.nanoseconds(since: .now()) / 1_000_000 + 1
            return Int32(max(0, min(milliseconds, 60_000)))
        }
    }

    /// Reads once; false at the stream's end.
    private func drain(_ index: Int, _ descriptor: Int32) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = read(descriptor, &chunk, chunk.count)
        guard index < 2 else { return true }
        return state.withLock { state in
            if count > 0 {
                if index == 0 { state.output += chunk[..<count] } else { state.errors += chunk[..<count] }
                return true
            }
            if count < 0, errno == EINTR { return true }
            state.openStreams -= 1
            return false
        }
    }

    private func wake() {
        var one: UInt8 = 1
        _ = write(alarm.write, &one, 1)
    }

    /// Resumes every waiter whose wish is fulfilled, impossible or late.
    private func settle() {
        let now = Instant.now()
        let settled = state.withLock { state in
            var settled: [(Waiter, Result<String, any Error>)] = []
            var waiting: [Waiter] = []
            for waiter in state.waiters {
                if let result = result(for: waiter, in: state, at: now) {
                    settled.append((waiter, result))
                } else {
                    waiting.append(waiter)
                }
            }
            state.waiters = waiting
            return settled
        }
        for (waiter, result) in settled { waiter.continuation.resume(with: result) }
    }

    private func result(for waiter: Waiter, in state: State, at now: Instant) -> Result<String, any Error>? {
        let what: String
        switch waiter.want {
        case .exit:
            if state.isOver { return .success("") }
            what = state.exitCode == nil ? "no end" : "ended, but another process keeps its output open: no end of the output"
        case .line(let prefix, let stream, let occurrence):
            let lines = (stream == .output ? state.output : state.errors).split(
                separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let matches = lines.dropLast().filter { $0.starts(with: prefix.utf8) }
            if matches.count >= occurrence { return .success(String(decoding: matches[occurrence - 1], as: UTF8.self)) }
            what = "no line '\(prefix)'"
            if state.isOver {
                return .failure(ChildFailure("\(command): \(what) before its end with \(state.outcome.exitCode)", state.outcome))
            }
        }
        return now >= waiter.deadline ? .failure(ChildFailure("\(command): \(what) in time", state.outcome)) : nil
    }
}
