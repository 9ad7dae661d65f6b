import StentorBase
import StentorDialect
import Testing

private func delays(_ policy: ReconnectPolicy, _ count: Int) -> [Duration?] {
    var backoff = Backoff()
    var random = SeededRandom(seed: 1)
    return (0..<count).map { _ in backoff.nextDelay(policy, random: &random) }
}

struct ReconnectPolicyTests {
    @Test func `Hermes delays are 1, 2, 4, 8, 15 and 15 seconds`() {
        #expect(delays(HermesBackoff.policy(), 7) == [1, 2, 4, 8, 15, 15, 15].map { .seconds($0) })
    }

    @Test func `the exponent of Hermes stops at five whatever the cap`() {
        #expect(delays(HermesBackoff.policy(cap: .seconds(99)), 7).last == .seconds(16))
    }

    @Test func `only ready starts the count anew`() {
        let policy = HermesBackoff.policy()
        var backoff = Backoff()
        var random = SeededRandom(seed: 1)
        _ = backoff.nextDelay(policy, random: &random)
        _ = backoff.nextDelay(policy, random: &random)
        #expect(backoff.attempt == 2)
        backoff.readyReached()
        #expect(backoff.nextDelay(policy, random: &random) == .seconds(1))
    }

    @Test func `past the limit the device gives up`() {
        #expect(delays(HermesBackoff.policy(attemptLimit: 2), 4) == [.seconds(1), .seconds(2), nil, nil])
        #expect(delays(HermesBackoff.policy(attemptLimit: 0), 1) == [nil])
    }

    @Test func `a fixed delay stays, an exponential one doubles up to its cap`() {
        #expect(delays(ReconnectPolicy(growth: .fixed, base: .seconds(3), cap: .seconds(9)), 3) == [.seconds(3), .seconds(3), .seconds(3)])
        let exponential = ReconnectPolicy(growth: .exponential, base: .milliseconds(100), cap: .seconds(1))
        #expect(delays(exponential, 6) == [100, 200, 400, 800, 1000, 1000].map { .milliseconds($0) })
        #expect(exponential.plainDelay(attempt: .max) == .seconds(1))
    }

    @Test(arguments: [(ReconnectPolicy.Jitter.full, 0.0), (.equal, 0.5)])
    func `jitter spreads a delay over its range`(jitter: ReconnectPolicy.Jitter, lowest: Double) {
        let policy = ReconnectPolicy(growth: .fixed, base: .seconds(1), cap: .seconds(1), jitter: jitter)
        var random = SeededRandom(seed: 2)
        let drawn = (0..<2000).map { _ in policy.delay(attempt: 1, random: &random).inSeconds }
        #expect(drawn.allSatisfy { $0 >= lowest && $0 <= 1 })
        #expect(abs(drawn.reduce(0, +) / 2000 - (lowest + 1) / 2) < 0.02)
        #expect((drawn.min() ?? 1) < lowest + 0.01)
        #expect((drawn.max() ?? 0) > 0.99)
    }
}
