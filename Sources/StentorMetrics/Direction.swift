/// Which way a number is better.
public enum Direction: String, Sendable {
    /// Less is better: latencies, losses.
    case lower
    /// More is better: rates of transfer, shares of what went well.
    case higher
    /// Neither: it says what the target does, not how well, or it belongs to the generator.
    case neither
}

extension Metric {
    /// Which way the metric is better; part of its definition, see `Docs/metrics.md`.
    public var better: Direction {
        switch self {
        case .connect, .connectDNS, .connectTCP, .connectTLS, .connectUpgrade, .ready, .usable, .replyFirst, .reply, .fanout, .fanoutLast,
            .replyFirstService, .replyService, .editGap, .upload, .confirm, .reassembly, .promptAnswer, .reconnect, .detect, .attempts,
            .pingRTT:
            .lower
        case .uploadRate, .reassemblyRate: .higher
        case .sendLag, .dialLag, .edits, .loopLag: .neither
        }
    }
}
