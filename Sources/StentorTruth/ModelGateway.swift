import StentorBase
import StentorStatistics

/// A gateway and its load as a model on a clock of its own: what is true of it is known, and an hour of it takes milliseconds.
///
/// Replies are log-normal around a level that wanders from second to second as an AR(1) process and is raised by pauses that die out over some
/// seconds, as of a garbage collector; so neighbouring seconds resemble each other. In an outage devices lose their connection and dial again
/// after 1, 2, 4 … s, less up to three quarters at random, until the gateway is back.
public struct ModelGateway: Sendable, Equatable {
    /// The median of replies at rest, in seconds.
    public var replySeconds = 0.08
    /// The standard deviation of a reply's logarithm within a second.
    public var replySpread = 0.35
    /// How much of its level a second hands to the next, 0...1.
    public var memory = 0.8
    /// The standard deviation of what is new in a second's level, as a logarithm.
    public var unrest = 0.05
    /// How long the gateway is away in the outage, in seconds.
    public var downSeconds = 3.0
    /// The share of texts that are lost.
    public var lostShare = 0.0
    /// How much runs differ by themselves: the standard deviation of the logarithm of reply and down time.
    public var runSpread = 0.0

    /// Devices, each of which sends a text every 20 s.
    public var devices = 400
    /// Seconds of the steady phase.
    public var steadySeconds = 300

    /// Makes a gateway at rest.
    public init() {}

    /// What a run adds to the logarithm of all its times.
    func runLevel(_ random: inout SeededRandom) -> Double { runSpread == 0 ? 0 : runSpread * Self.normal(&random) }

    /// Seconds of a reply for each second of the steady phase.
    func replies(_ random: inout SeededRandom, level: Double, seconds: Int, _ body: (_ second: Int, _ replySeconds: Double) -> Void) {
        var (wander, pause) = (0.0, 0.0)
        for second in 0..<seconds {
            wander = memory * wander + unrest * Self.normal(&random)
            pause = random.chance(1.0 / 60) ? 0.4 : pause * 0.6
            for _ in 0..<Self.poisson(Double(devices) / 20, &random) {
                let logarithm = level + wander + pause + replySpread * Self.normal(&random)
                body(second, replySeconds * FloatingPointMath.exponential(logarithm))
            }
        }
    }

    /// When a device that lost its connection at 0 is ready again, and after how many dials.
    ///
    /// - Parameter down: How long the gateway is away in this run.
    func comeback(_ random: inout SeededRandom, down: Double) -> (seconds: Double, attempts: Int) {
        var (time, wait, attempts) = (0.0, 1.0, 0)
        while true {
            time += wait * (0.25 + 0.75 * random.unit())
            attempts += 1
            if time >= down { return (time + 0.02 + 0.03 * random.unit(), attempts) }
            wait = min(16, wait * 2)
        }
    }

    static func normal(_ random: inout SeededRandom) -> Double {
        // Box and Muller 1958, one of the two.
        let radius = (-2 * FloatingPointMath.logarithm(1 - random.unit())).squareRoot()
        return radius * FloatingPointMath.cosine(2 * Double.pi * random.unit())
    }

    /// Knuth's method; for small means.
    static func poisson(_ mean: Double, _ random: inout SeededRandom) -> Int {
        let limit = FloatingPointMath.exponential(-mean)
        var (count, product) = (0, random.unit())
        while product > limit {
            count += 1
            product *= random.unit()
        }
        return count
    }
}
