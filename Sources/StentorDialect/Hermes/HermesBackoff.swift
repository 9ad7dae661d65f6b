import StentorBase

/// The reconnect delays of Hermes devices.
///
/// `delay = min(500 ms · 2^min(attempt, 5), 15 s)` with the attempt counted first: 1, 2, 4, 8, 15, 15 s … (source: the protocol's own client).
/// Only `ready` starts the counter anew.
public enum HermesBackoff {
    /// The policy, by default as the protocol's own client has it: without jitter and without an end.
    public static func policy(
        jitter: ReconnectPolicy.Jitter = .none, base: Duration = .milliseconds(500), cap: Duration = .seconds(15), attemptLimit: Int? = nil
    ) -> ReconnectPolicy {
        ReconnectPolicy(
            growth: .exponential, base: base, cap: cap, jitter: jitter, attemptLimit: attemptLimit, headStart: 1, exponentLimit: 5)
    }
}
