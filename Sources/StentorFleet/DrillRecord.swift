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

    /// How it ended, in a few words.
    public var result: String {
        switch outcome {
        case .exited(let code): "the command ended with code \(code)"
        case .timedOut: "the command was killed when its time was over"
        case .stopped: "the command was killed because the run ended"
        case .restarted: "the gateway is up again"
        case .failed(let reason): "it could not be carried out: \(reason)"
        }
    }

    /// One sentence for the reader of a report; nil when it went well.
    public var warning: String? {
        if outcome == .exited(0) || outcome == .restarted { return nil }
        let last = output.split(separator: "\n").last.map { ": \($0.prefix(200))" } ?? ""
        return "drill '\(name)': \(result)\(last)"
    }
}
