/// A fault that the user can mend: a flag, a profile, a file, an address.
///
/// The command layer prints it as `stentor: PLACE: MESSAGE` and, if there is one, `  hint: HINT`. The text never carries a secret.
public struct UserFailure: Error, Equatable, Sendable {
    /// What kind of fault it is; decides the exit code.
    public enum Cause: String, Sendable {
        /// A flag or an argument.
        case arguments
        /// A profile, or a value set over it.
        case profile
        /// A target that cannot be used or reached.
        case target
        /// A file or directory that cannot be read or written.
        case file
        /// A limit of this machine.
        case machine
    }

    /// The kind of fault.
    public let cause: Cause
    /// What is wrong, in one sentence without a full stop.
    public let message: String
    /// Where: `file:line:column`, a flag, or a path; empty when it concerns the whole.
    public let place: String
    /// What to do about it; empty when the message says it all.
    public let hint: String

    /// Makes a failure.
    public init(_ cause: Cause, _ message: String, place: String = "", hint: String = "") {
        self.cause = cause
        self.message = message
        self.place = place
        self.hint = hint
    }

    /// The exit code that ends a process with this failure.
    public var exitCode: ExitCode {
        switch cause {
        case .arguments: .badArguments
        case .profile: .badProfile
        case .target: .targetUnreachable
        case .file, .machine: .failure
        }
    }

    /// The lines printed on stderr, with a trailing newline.
    public var rendered: String {
        let head = place.isEmpty ? "stentor: \(message)\n" : "stentor: \(place): \(message)\n"
        return hint.isEmpty ? head : head + "  hint: \(hint)\n"
    }
}

/// Several faults found together, so that all can be mended at once.
public struct UserFailures: Error, Equatable, Sendable {
    /// The faults, in the order in which they stand in their source; at least one.
    public let all: [UserFailure]

    /// Collects faults; the list must not be empty.
    public init(_ all: [UserFailure]) {
        precondition(!all.isEmpty, "UserFailures: no failure given")
        self.all = all
    }

    /// The exit code of the first fault.
    public var exitCode: ExitCode { all[0].exitCode }

    /// All faults as printed on stderr.
    public var rendered: String { all.map(\.rendered).joined() }
}
