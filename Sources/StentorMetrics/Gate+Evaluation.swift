extension Gate {
    /// Judges a run by this gate.
    ///
    /// No data, which does not hold: no or too few samples for the statistic, or a count whose population is empty, such as messages
    /// lost when none was sent. The number of samples itself is data, also when it is 0.
    public func evaluate(_ snapshot: RunSnapshot) -> GateResult {
        switch subject {
        case .distribution(let metric, let statistic, let phase): evaluate(metric, statistic, in: phase, snapshot)
        case .counter(let counter): evaluate(counter, snapshot)
        case .share(let share): evaluate(share, snapshot)
        }
    }

    private func evaluate(_ metric: Metric, _ statistic: Statistic, in phase: Phase, _ snapshot: RunSnapshot) -> GateResult {
        let distribution = snapshot.distribution(metric, in: phase)
        let count = distribution?.count ?? 0
        let value: Double? =
            switch statistic {
            case .count: Double(count)
            case .min: distribution?.min
            case .mean: distribution?.mean
            case .percentile(let percentile): distribution?[percentile]
            case .max: distribution?.max
            }
        guard let value else {
            let needed = if case .percentile(let percentile) = statistic { percentile.samplesNeeded } else { 1 as UInt64 }
            return noData(count, phase, "\(statistic.name) needs \(needed) samples in \(phase.name), there are \(count)")
        }
        return judged(value, count, phase)
    }

    private func evaluate(_ counter: Counter, _ snapshot: RunSnapshot) -> GateResult {
        let population = counter.population.reduce(0) { $0 + max(0, snapshot.count($1)) }
        guard counter.population.isEmpty || population > 0 else {
            return noData(0, nil, "nothing to count: \(counter.population.map(\.name).joined(separator: " and ")) 0")
        }
        let value = snapshot.count(counter)
        return judged(Double(value), UInt64(counter.population.isEmpty ? max(0, value) : population), nil)
    }

    private func evaluate(_ share: Share, _ snapshot: RunSnapshot) -> GateResult {
        guard let value = snapshot.share(share) else { return noData(0, nil, "\(share.name) has nothing to divide by") }
        return judged(value, UInt64(max(0, share.population(in: snapshot))), nil)
    }

    private func judged(_ value: Double, _ count: UInt64, _ phase: Phase?) -> GateResult {
        let holds = comparison.holds(value, threshold)
        let text = subject.unit.text(value)
        return GateResult(
            expression: expression, value: value, valueText: text, count: count, phase: phase, verdict: holds ? .pass : .fail,
            reason: holds ? "" : "is \(text), must be \(comparison.rawValue) \(subject.unit.text(threshold))")
    }

    private func noData(_ count: UInt64, _ phase: Phase?, _ reason: String) -> GateResult {
        GateResult(
            expression: expression, value: nil, valueText: "n/a (n=\(count))", count: count, phase: phase, verdict: .noData, reason: reason)
    }
}
