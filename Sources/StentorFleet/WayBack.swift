import StentorBase
import StentorMetrics

/// Where the time of a device goes from the loss of its connection until it is ready again. Pure.
///
///     backing off ──▶ dialling ──▶ upgrading ──▶ saying hello ──▶ greeting ──▶ ready
///          ▲──────────────┴───────────────┴────────────┴─────────────┘ failed
///
/// Instants must not go back; every nanosecond between the first and the last belongs to one stage.
struct WayBack {
    private enum Stage {
        case backingOff(until: Instant)
        case dialling, upgrading, sayingHello, greeting
    }

    /// When the device noticed the loss.
    let lostAt: Instant
    private var stages: ReturnStages
    private var stage: Stage
    private var since: Instant

    /// The connection is lost.
    ///
    /// - Parameter cutAt: When it was cut; nil: only the other side knows.
    init(lostAt: Instant, cutAt: Instant?) {
        self.lostAt = lostAt
        stages = ReturnStages(detect: cutAt.map { (lostAt - $0).inSeconds })
        stage = .backingOff(until: lostAt)
        since = lostAt
    }

    /// It waits for its next dial; an attempt under way has failed.
    mutating func waits(until dial: Instant, at now: Instant) {
        leaveStage(at: now)
        stages.failed += stages.dial + stages.upgrade + stages.hello + stages.greeting
        (stages.dial, stages.upgrade, stages.hello, stages.greeting) = (0, 0, 0, 0)
        stage = .backingOff(until: dial)
    }

    /// It has moved on to a state of an attempt, or given up after one.
    mutating func moved(to state: DeviceState, at now: Instant) {
        let next: Stage
        switch state {
        case .dialling: next = .dialling
        case .upgrading: next = .upgrading
        case .greeting: next = .sayingHello
        case .failed: return waits(until: now, at: now)
        case .waiting, .ready, .backingOff, .left, .stuck: return
        }
        leaveStage(at: now)
        stage = next
    }

    /// The kernel has its hello.
    mutating func saidHello(at now: Instant) {
        guard case .sayingHello = stage else { return }
        leaveStage(at: now)
        stage = .greeting
    }

    /// The stages when it is ready again, or no longer watched.
    func stages(endingAt now: Instant) -> ReturnStages {
        var ended = self
        ended.leaveStage(at: now)
        return ended.stages
    }

    private mutating func leaveStage(at now: Instant) {
        let time = (now - since).inSeconds
        switch stage {
        case .backingOff(let dial):
            let asked = max(since, min(dial, now))
            stages.backoff += (asked - since).inSeconds
            stages.lag += (now - asked).inSeconds
        case .dialling: stages.dial += time
        case .upgrading: stages.upgrade += time
        case .sayingHello: stages.hello += time
        case .greeting: stages.greeting += time
        }
        since = now
    }
}
