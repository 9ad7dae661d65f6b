import StentorBase

extension Gate {
    /// Reads the rest of a gate on a drift, `drift <op> <change>/<time> [in steady]`; nil when it is another gate.
    static func readDrift(of name: String, _ rest: Substring, in text: String) throws(UserFailure) -> Gate? {
        var rest = rest
        guard takeWord(&rest) == "drift" else { return nil }
        let symbol = take(&rest) { "<>=!".contains($0) }
        let value = takeWord(&rest)
        guard !name.isEmpty, !symbol.isEmpty, !value.isEmpty else { throw driftFormFailure(text) }
        let drift = try drift(name, in: text)
        guard let comparison = Operator(rawValue: symbol), comparison != .notEqual else {
            throw UserFailure(
                .profile, "no operator '\(symbol)' for a drift in gate '\(text)'",
                hint: symbol == "=" ? "did you mean '=='?" : "known here: <, <=, >, >=, ==")
        }
        let phase = try phase(rest.split(whereSeparator: \.isWhitespace), in: text)
        guard phase ?? .steady == .steady else {
            throw UserFailure(.profile, "a drift is judged in steady only, in gate '\(text)'", hint: "write 'in steady', or nothing")
        }
        guard let bound = readChange(value, drift.unit) else {
            throw UserFailure(
                .profile, "'\(value)' does not fit the drift of '\(name)' in gate '\(text)'", hint: "write \(expectation(drift.unit))")
        }
        return Gate(
            expression: "\(name) drift \(symbol) \(value)\(phase == nil ? "" : " in steady")",
            subject: .drift(drift, isRelative: bound.isRelative, per: bound.span), comparison: comparison, threshold: bound.change)
    }

    private static func drift(_ name: String, in text: String) throws(UserFailure) -> Drift {
        if let number = ProcessNumber(name: name) { return .process(number) }
        if Counter(name: name) != nil || Share(name: name) != nil {
            throw UserFailure(
                .profile, "'\(name)' has no drift in gate '\(text)'",
                hint: "counts and shares are judged over the whole run: '\(name) == \(Counter(name: name) == nil ? "0%" : "0")'")
        }
        let (metric, statistic) = try distribution(name, in: text)
        guard statistic != .count else {
            throw UserFailure(
                .profile, "'\(name)' has no drift in gate '\(text)'",
                hint: "known here: \(Statistic.all.dropFirst().map(\.name).joined(separator: ", "))")
        }
        return .distribution(metric, statistic)
    }

    /// Reads `5%/h`, `-10ms/min`, `1MiB/h`; nil when it does not fit.
    private static func readChange(_ text: String, _ unit: Unit) -> (change: Double, isRelative: Bool, span: DriftSpan)? {
        guard let span = DriftSpan.allCases.first(where: { text.hasSuffix("/" + $0.rawValue) }) else { return nil }
        let sign = text.hasPrefix("-") ? -1.0 : 1
        let amount = String(text.dropFirst(sign < 0 ? 1 : 0).dropLast(span.rawValue.count + 1))
        if let share = percentage(amount) { return (share * sign, true, span) }
        return unit.read(amount).map { ($0 * sign, false, span) }
    }

    /// A share that may be more than 100 %: a number can double in an hour.
    private static func percentage(_ text: String) -> Double? {
        text.hasSuffix("%") ? Unit.count.read(String(text.dropLast())).map { $0 / 100 } : nil
    }

    private static func expectation(_ unit: Unit) -> String {
        switch unit {
        case .seconds: "a change per hour such as 5%/h or 10ms/h"
        case .bytes: "a change per hour such as 5%/h or 1MiB/h"
        case .bytesPerSecond: "a change per hour such as -5%/h or -10KiB/s/h"
        case .count, .share: "a change per hour such as 5%/h or 10/h"
        }
    }

    private static func driftFormFailure(_ text: String) -> UserFailure {
        UserFailure(.profile, "'\(text)' is no gate on a drift", hint: "write it as 'reply.p95 drift < 5%/h' or 'rss drift < 1MiB/h'")
    }

    // MARK: - Judging

    /// Judges a trend: it fails when the whole confidence interval lies beyond the bound.
    func evaluate(_ drift: Drift, isRelative: Bool, per span: DriftSpan, _ snapshot: RunSnapshot) -> GateResult {
        let windows = snapshot.windows(of: drift)
        let count = windows.points.count
        guard let absolute = Trend(windows.points)?.scaled(by: span.hours) else {
            return noData(
                UInt64(count), .steady, "a drift needs \(Trend.pointsNeeded) windows with enough samples in steady, there are \(count)")
        }
        guard let trend = isRelative ? absolute.relative : absolute else {
            return noData(UInt64(count), .steady, "a change in % needs a median above 0")
        }
        let holds = isPossible(trend)
        let text = DriftText(unit: drift.unit, isRelative: isRelative, span: span)
        let interval = "95 % sure of \(text.change(trend.low)) to \(text.change(trend.high))"
        let reason = "\(interval), in \(count) windows of \(windows.seconds) s; must be \(comparison.rawValue) \(text.change(threshold))"
        return GateResult(
            expression: expression, value: trend.slope, valueText: text.value(trend.slope, trend.low, trend.high), count: UInt64(count),
            phase: .steady,
            verdict: holds ? .pass : .fail, reason: holds ? "" : reason,
            drift: .init(low: trend.low, high: trend.high, windowSeconds: windows.seconds))
    }

    /// A drift with its interval as people read it, for instance `+3.21 %/h (1.10 to 5.32)`; nil when this gate is on none.
    ///
    /// The numbers are those of a ``GateResult``: in the gate's unit and time.
    public func driftText(slope: Double, low: Double, high: Double) -> String? {
        guard case .drift(let drift, let isRelative, let span) = subject else { return nil }
        return DriftText(unit: drift.unit, isRelative: isRelative, span: span).value(slope, low, high)
    }

    /// Whether a slope within the interval meets the bound.
    private func isPossible(_ trend: Trend) -> Bool {
        switch comparison {
        case .less, .lessOrEqual: comparison.holds(trend.low, threshold)
        case .greater, .greaterOrEqual: comparison.holds(trend.high, threshold)
        case .equal: trend.low <= threshold && threshold <= trend.high
        case .notEqual: true
        }
    }
}

/// Words a change in the unit and the time of its gate.
private struct DriftText {
    let unit: Unit
    let isRelative: Bool
    let span: Gate.DriftSpan

    /// A change: `3.21 %/h`, `10.0 ms/min`.
    func change(_ change: Double) -> String { amount(change) + (isRelative ? " %" : "") + "/" + span.rawValue }

    /// Slope and interval: `+3.21 %/h (1.10 to 5.32)`.
    func value(_ slope: Double, _ low: Double, _ high: Double) -> String {
        "\(slope > 0 ? "+" : "")\(change(slope)) (\(amount(low)) to \(amount(high)))"
    }

    private func amount(_ change: Double) -> String { isRelative ? Quantity.significant(change * 100) : unit.text(change) }
}
