/// What became of a drill that acts outside of the devices: a command, or a restart of the embedded gateway.
public struct DrillRecord: Sendable, Equatable {
    /// How it ended.
    public enum Outcome: Sendable, Equatable {
        /// The command ended with this code; 128 + n: by signal n.
        case exited(Int32)
        /// The command was killed when its time was over.
        case timedOut
        /// The command was killed because the run ended.
        case stopped
        /// The gateway is up again.
        case restarted
        /// It could not be carried out; why.
        case failed(String)
    }

    /// The drill's name.
    public let name: String
    /// When it began, from the start of the run.
    public let startSeconds: Double
    /// When it ended.
    public let endSeconds: Double
    /// How it ended.
    public let outcome: Outcome
    /// The end of what the command printed, stdout and stderr, at most 4 KiB; untrusted text. Empty: nothing.
    public let output: String

    /// One sentence for the reader of a report; nil when it went well.
    public var warning: String? {
        let last = output.split(separator: "\n").last.map { ": \($0.prefix(200))" } ?? ""
        switch outcome {
        case .exited(0), .restarted: return nil
        case .exited(let code): return "the command of the drill '\(name)' ended with code \(code)\(last)"
        case .timedOut: return "the command of the drill '\(name)' was killed when its time was over\(last)"
        case .stopped: return "the command of the drill '\(name)' was killed because the run ended\(last)"
        case .failed(let reason): return "the drill '\(name)' could not be carried out: \(reason)"
        }
    }
}
