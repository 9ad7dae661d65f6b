import StentorBase
import StentorMetrics
import StentorReport
import StentorStatistics

extension ModelGateway {
    /// One run of the model, as a comparison takes it.
    ///
    /// - Parameters:
    ///   - seed: The same seed gives the same run.
    ///   - name: Its id.
    public func run(seed: UInt64, name: String) -> RunMeasurements {
        var random = SeededRandom(seed: seed)
        let level = runLevel(&random)
        let seconds = steadySeconds
        var histograms = [Histogram](repeating: Histogram(), count: seconds)
        var (sent, lost) = ([Double](repeating: 0, count: seconds), [Double](repeating: 0, count: seconds))
        replies(&random, level: level, seconds: seconds) { second, reply, isLost in
            sent[second] += 1
            if isLost { lost[second] += 1 } else { histograms[second].record(UInt64(reply * 1e9)) }
        }
        let returns = outage(&random, down: downSeconds * FloatingPointMath.exponential(level))
        let total = (sent: Int(sent.reduce(0, +)), lost: Int(lost.reduce(0, +)))
        return RunMeasurements(
            identity: ComparedRun(
                path: name, runID: name, profile: "model", profileDigest: "model", seed: "1", plannedSeconds: Double(seconds), cores: 2),
            series: [.init(.reply, .steady): histograms.enumerated().map(Self.interval)],
            counts: [
                .messagesSent: total.sent, .messagesAnswered: total.sent - total.lost, .messagesLate: 0, .messagesLost: total.lost,
                .messagesDuplicated: 0,
            ],
            rows: zip(sent, lost).map { sent, lost in
                .init(isSteady: true, added: ["texts_sent_per_s": sent, "texts_answered_per_s": sent - lost, "texts_lost_total": lost])
            },
            outages: [.init(name: "restart", startSeconds: Double(seconds), endSeconds: nil, devicesLost: returns.count)], returns: returns)
    }

    private static func interval(_ second: Int, _ histogram: Histogram) -> RunMeasurements.Interval {
        .init(
            startSeconds: Double(second), lengthSeconds: 1,
            cells: histogram.nonZeroBuckets.map { CellCount(cell: $0.index, count: Double($0.count)) })
    }

    private func replies(
        _ random: inout SeededRandom, level: Double, seconds: Int,
        _ body: (_ second: Int, _ replySeconds: Double, _ isLost: Bool) -> Void
    ) {
        var fate = SeededRandom(seed: random.next())
        replies(&random, level: level, seconds: seconds) { second, replySeconds in body(second, replySeconds, fate.chance(lostShare)) }
    }

    /// Three fifths of the devices lose their connection; a hundredth of them is not watched to the end.
    private func outage(_ random: inout SeededRandom, down: Double) -> [RunMeasurements.Return] {
        (0..<devices * 3 / 5).map { device in
            let (seconds, attempts) = comeback(&random, down: down)
            let watched = random.chance(0.01) ? random.unit() * seconds : seconds
            return .init(
                device: "phone-\(device)", outage: 1, lifetime: Lifetime(time: watched, isEvent: watched == seconds), attempts: attempts)
        }
    }
}
