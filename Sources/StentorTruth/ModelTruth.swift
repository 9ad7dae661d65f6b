import StentorBase
import StentorStatistics

/// What is true of a gateway's model, from a run so long that chance has no part in it.
struct ModelTruth {
    private let replies: [Double]
    private let comebacks: [(seconds: Double, attempts: Int)]
    private let gateway: ModelGateway

    /// Draws 4000 replies and 200 devices a run.
    ///
    /// - Parameter runs: How many runs; 1000 leave an error of some thousandths.
    init(_ gateway: ModelGateway, runs: Int) {
        self.gateway = gateway
        var random = SeededRandom(seed: 77)
        var replies: [Double] = []
        var comebacks: [(seconds: Double, attempts: Int)] = []
        for _ in 0..<runs {
            let level = gateway.runLevel(&random)
            gateway.replies(&random, level: level, seconds: 200) { replies.append($1) }
            let down = gateway.downSeconds * FloatingPointMath.exponential(level)
            for _ in 0..<200 { comebacks.append(gateway.comeback(&random, down: down)) }
        }
        self.replies = replies.sorted()
        self.comebacks = comebacks.sorted { $0.seconds < $1.seconds }
    }

    func reply(_ share: Double) -> Double { replies[Int(share * Double(replies.count))] }

    /// The true value of a number.
    ///
    /// - Parameter horizon: Up to when means of time to ready are taken.
    func value(_ name: String, horizon: Double) -> Double? {
        let count = Double(comebacks.count)
        switch name {
        case "reply.p50": return reply(0.5)
        case "reply.p95": return reply(0.95)
        case "reply.p99": return reply(0.99)
        case "messages.lost": return gateway.lostShare
        case "messages.answered_rate": return 1 - gateway.lostShare
        case "reconnect.mean of restart": return comebacks.reduce(0) { $0 + min(horizon, $1.seconds) } / count
        case "reconnect.median of restart": return comebacks[comebacks.count / 2].seconds
        case "attempts.mean of restart": return comebacks.reduce(0) { $0 + Double($1.attempts) } / count
        default: return nil
        }
    }
}
