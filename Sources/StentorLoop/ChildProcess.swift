import CStentorSystem
import Glibc
import StentorBase

/// A program started by this one, its output by lines, its end. Loop thread only.
///
/// The child's standard input is a pipe that only this process holds: when this process dies, however, the child reads its end. When the loop
/// ends first, the child is killed.
public final class ChildProcess {
    /// What the child does, told on the loop.
    public enum Event: Sendable, Equatable {
        /// A whole line of its standard output, without the newline; lines over 1 MiB are cut there.
        case line(String)
        /// It has ended, after its last line: the exit status, or 128 + the signal.
        case ended(Int32)
    }

    /// The process id.
    public let processID: Int32
    private let loop: EventLoop
    private let received: (Event) -> Void
    private var input: Int32
    private var output: PipeReader?
    private var end: ExitWatcher?
    private var exitStatus: Int32?
    private var isOutputClosed = false

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: Of the executable.
    ///   - arguments: Without the program's name.
    ///   - mergesErrors: Its standard error is read with its standard output. Default false: it has this process's own.
    ///   - environment: Added to this process's own; the place for secrets, which must not stand in the arguments.
    /// - Throws: ``SystemFailure``.
    public init(
        loop: EventLoop, path: String, arguments: [String], environment: [(String, String)] = [], mergesErrors: Bool = false,
        _ received: @escaping (Event) -> Void
    ) throws(SystemFailure) {
        var standardInput: [Int32] = [-1, -1]
        var standardOutput: [Int32] = [-1, -1]
        guard stentor_pipe(&standardInput) == 0 else { throw SystemFailure("pipe") }
        guard stentor_pipe(&standardOutput) == 0 else { throw SystemFailure("pipe") }
        processID = try Self.spawn(
            path, arguments, environment, input: standardInput[0], output: standardOutput[1], mergesErrors: mergesErrors)
        _ = Glibc.close(standardInput[0])
        _ = Glibc.close(standardOutput[1])
        self.loop = loop
        self.received = received
        input = standardInput[1]
        // Both keep this object alive until they have told their end, also when its owner has lost interest.
        output = try PipeReader(loop: loop, descriptor: standardOutput[0]) { line in
            if let line { self.received(.line(line)) } else { self.outputClosed() }
        }
        end = try ExitWatcher(loop: loop, processID: processID) { status in
            self.exitStatus = status
            self.tellEnd()
        }
    }

    /// Sends a signal; harmless when the child has ended.
    public func signal(_ number: Int32) {
        if exitStatus == nil { kill(processID, number) }
    }

    /// Sends a signal to its whole process group; harmless when all of it has ended.
    public func signalGroup(_ number: Int32) {
        // The number of a group is not used again while one of its processes holds the output open.
        if exitStatus == nil || !isOutputClosed { kill(-processID, number) }
    }

    /// Ends its standard input: it reads nothing more.
    public func closeInput() {
        if input >= 0 { _ = Glibc.close(input) }
        input = -1
    }

    /// The path of a program: the name itself if it has a slash, else the first of `PATH` that can be executed; nil: none.
    public static func find(_ name: String) -> String? {
        if name.utf8.contains(UInt8(ascii: "/")) { return access(name, X_OK) == 0 ? name : nil }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    private func outputClosed() {
        isOutputClosed = true
        tellEnd()
    }

    private func tellEnd() {
        guard let exitStatus, isOutputClosed else { return }
        if input >= 0 { _ = Glibc.close(input) }
        input = -1
        (output, end) = (nil, nil)
        received(.ended(exitStatus))
    }

    deinit {
        if input >= 0 { _ = Glibc.close(input) }
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [(String, String)], input: Int32, output: Int32, mergesErrors: Bool
    ) throws(SystemFailure) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        if mergesErrors { posix_spawn_file_actions_adddup2(&actions, output, 2) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own, so that Ctrl-C at the terminal reaches only this process, which then ends the child in order; and no blocked signals.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        var variables: [UnsafeMutablePointer<CChar>?] = []
        var index = 0
        while let entry = environ[index] {
            variables.append(strdup(entry))
            index += 1
        }
        variables += environment.map { strdup("\($0.0)=\($0.1)") }
        var words = ([path] + arguments).map { strdup($0) }
        defer { for pointer in words + variables { free(pointer) } }
        words.append(nil)
        variables.append(nil)
        var processID: pid_t = 0
        let code = posix_spawn(&processID, path, &actions, &attributes, words, variables)
        guard code == 0 else { throw SystemFailure("start \(path)", code: code) }
        return processID
    }
}

/// Reads a pipe by lines; nil is its end.
private final class PipeReader: EventSource {
    private let loop: EventLoop
    private var descriptor: Int32
    private var partial: [UInt8] = []
    private let received: (String?) -> Void

    init(loop: EventLoop, descriptor: Int32, _ received: @escaping (String?) -> Void) throws(SystemFailure) {
        self.loop = loop
        self.descriptor = descriptor
        self.received = received
        super.init()
        _ = stentor_set_nonblocking(descriptor)
        try loop.register(self, descriptor: descriptor, events: stentor_epollin())
    }

    override func ready(_ events: UInt32) {
        let count = Glibc.read(descriptor, loop.readBuffer.baseAddress, loop.readBuffer.count)
        if count < 0, stentor_errno() == EAGAIN || stentor_errno() == EINTR { return }
        guard count > 0 else { return finish() }
        for byte in loop.readBuffer[..<count] {
            if byte == UInt8(ascii: "\n") || partial.count >= 1 << 20 { flush() }
            if byte != UInt8(ascii: "\n") { partial.append(byte) }
        }
    }

    private func flush() {
        let line = String(decoding: partial, as: UTF8.self)
        partial.removeAll(keepingCapacity: true)
        received(line)
    }

    private func finish() {
        guard descriptor >= 0 else { return }
        loop.deregister(self)
        _ = Glibc.close(descriptor)
        descriptor = -1
        if !partial.isEmpty { flush() }
        received(nil)
    }

    override func loopEnded() { finish() }
}

/// Waits for a process to end through a pidfd.
private final class ExitWatcher: EventSource {
    private let loop: EventLoop
    private let processID: Int32
    private var descriptor: Int32
    private let ended: (Int32) -> Void

    init(loop: EventLoop, processID: Int32, _ ended: @escaping (Int32) -> Void) throws(SystemFailure) {
        self.loop = loop
        self.processID = processID
        self.ended = ended
        descriptor = stentor_pidfd_open(processID)
        guard descriptor >= 0 else { throw SystemFailure("pidfd_open") }
        super.init()
        try loop.register(self, descriptor: descriptor, events: stentor_epollin())
    }

    override func ready(_ events: UInt32) {
        var status: Int32 = 0
        guard waitpid(processID, &status, Int32(WNOHANG)) == processID else { return }
        close()
        ended(stentor_exit_status(status))
    }

    private func close() {
        guard descriptor >= 0 else { return }
        loop.deregister(self)
        _ = Glibc.close(descriptor)
        descriptor = -1
    }

    /// A child does not outlive the loop that started it.
    override func loopEnded() {
        guard descriptor >= 0 else { return }
        kill(processID, SIGKILL)
        var status: Int32 = 0
        _ = waitpid(processID, &status, 0)
        close()
    }
}
