import Foundation
import StentorBase
import Synchronization

/// Starts a process with nothing of ours but two pipes.
///
/// Foundation's `Process` lets a child inherit the pipes of its siblings, so that one child's output ends only with the others.
enum ChildSpawn {
    /// A started process and our ends of its pipes.
    struct Spawned: Sendable {
        let pid: pid_t
        let output: Int32
        let errors: Int32
        /// A pipe of our own that wakes the thread that reads the others.
        let alarm: (read: Int32, write: Int32)
    }

    // Between making a pipe and marking it close-on-exec no other child may be started.
    private static let gate = Mutex(())

    static func start(
        _ arguments: [String], environment: [String: String], directory: String?
    ) throws -> Spawned {
        try gate.withLock { _ in try startAlone(arguments, environment: environment, directory: directory) }
    }

    private static func startAlone(
        _ arguments: [String], environment: [String: String], directory: String?
    ) throws -> Spawned {
        let output = try pipe()
        let errors = try pipe()
        let alarm = try pipe()
        defer {
            close(output.write)
            close(errors.write)
        }
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.write, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
        resetSignals(&attributes)

        // The importer lacks posix_spawn_file_actions_addchdir_np; exec keeps the process id.
        let arguments = directory.map { ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, $0] + arguments } ?? arguments
        var pid: pid_t = 0
        // Whatever a test starts must not write to the history of the user who runs the tests.
        let variables = ProcessInfo.processInfo.environment.merging(["STENTOR_HISTORY": "off"]) { $1 }.merging(environment) { $1 }.map {
            "\($0.key)=\($0.value)"
        }
        let status = withPointers(arguments) { argv in
            withPointers(variables) { posix_spawnp(&pid, arguments[0], &actions, &attributes, argv, $0) }
        }
        guard status == 0 else {
            for end in [output.read, errors.read, alarm.read, alarm.write] { close(end) }
            throw ChildFailure("cannot start \(arguments[0]): \(String(cString: strerror(status)))")
        }
        return Spawned(pid: pid, output: output.read, errors: errors.read, alarm: alarm)
    }

    /// The tests may block or ignore signals that the child must see.
    private static func resetSignals(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        var defaults = sigset_t()
        sigemptyset(&none)
        sigemptyset(&defaults)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw ChildFailure("no pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func withPointers<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return body(pointers + [nil])
    }
}
