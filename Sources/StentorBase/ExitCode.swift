/// What a Stentor process tells its parent when it ends.
///
/// The one list: `--help` and the documentation are checked against it.
public enum ExitCode: Int32, CaseIterable, Sendable {
    /// The run passed, or the command did what was asked.
    case success = 0
    /// Stentor itself failed: an internal error, or a file that could not be written.
    case failure = 1
    /// An argument on the command line is wrong (BSD `EX_USAGE`).
    case badArguments = 64
    /// The profile is wrong (BSD `EX_DATAERR`).
    case badProfile = 65
    /// The target was never reachable, or let no device in (BSD `EX_UNAVAILABLE`).
    case targetUnreachable = 69
    /// The run is invalid: the generator, not the target, was the limit.
    case invalidRun = 98
    /// A gate failed or had no data.
    case gateFailed = 99
    /// Interrupted by SIGINT, after a complete report.
    case interrupted = 130
    /// Ended by SIGTERM, or by SIGHUP when its terminal was closed, after a complete report.
    case terminated = 143

    /// One line for `--help` and the documentation.
    public var meaning: String {
        switch self {
        case .success: "pass"
        case .failure: "internal or I/O failure (for instance a report that could not be written)"
        case .badArguments: "bad arguments"
        case .badProfile: "bad profile"
        case .targetUnreachable: "target never reachable, or no device ever let in"
        case .invalidRun: "run invalid: the generator, not the target, was the limit"
        case .gateFailed: "a gate failed or had no data; a check found a fault"
        case .interrupted: "interrupted (SIGINT), after a complete report"
        case .terminated: "terminated (SIGTERM or SIGHUP), after a complete report"
        }
    }
}
