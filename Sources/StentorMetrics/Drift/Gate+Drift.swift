import StentorBase

extension Gate {
    /// How the bound of a drift is written: a change, and the time that it takes.
    private static let spans: [(suffix: String, perHour: Double)] = [("/h", 1), ("/min", 60), ("/d", 1.0 / 24)]

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
            subject: .drift(drift, isRelative: bound.isRelative), comparison: comparison, threshold: bound.perHour)
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
    private static func readChange(_ text: String, _ unit: Unit) -> (perHour: Double, isRelative: Bool)? {
        guard let span = spans.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        let isFall = text.hasPrefix("-")
        let amount = String(text.dropFirst(isFall ? 1 : 0).dropLast(span.suffix.count))
        let factor = isFall ? -span.perHour : span.perHour
        if let share = percentage(amount) { return (share * factor, true) }
        return unit.read(amount).map { ($0 * factor, false) }
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
    func evaluate(_ drift: Drift, isRelative: Bool, _ snapshot: RunSnapshot) -> GateResult {
        let windows = snapshot.windows(of: drift)
        let count = windows.points.count
        guard let absolute = Trend(windows.points) else {
            return noData(
                UInt64(count), .steady, "a drift needs \(Trend.pointsNeeded) windows with enough samples in steady, there are \(count)")
        }
        guard let trend = isRelative ? absolute.relative : absolute else {
            return noData(UInt64(count), .steady, "a change in % needs a median above 0")
        }
        let holds = isPossible(trend)
        let interval = "95 % sure of \(changeText(trend.low)) to \(changeText(trend.high))"
        let reason = "\(interval), in \(count) windows of \(windows.seconds) s; must be \(comparison.rawValue) \(changeText(threshold))"
        return GateResult(
            expression: expression, value: trend.slope, valueText: valueText(trend), count: UInt64(count),
            phase: .steady, verdict: holds ? .pass : .fail, reason: holds ? "" : reason,
            drift: .init(low: trend.low, high: trend.high, windowSeconds: windows.seconds))
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

    private func changeText(_ perHour: Double) -> String {
        guard case .drift(_, isRelative: true) = subject else { return subject.unit.text(perHour) + "/h" }
        return Quantity.significant(perHour * 100) + " %/h"
    }

    /// Slope and interval: `+3.21 %/h (1.10 to 5.32)`.
    private func valueText(_ trend: Trend) -> String {
        let ends = [trend.low, trend.high].map { end in
            if case .drift(_, isRelative: true) = subject { Quantity.significant(end * 100) } else { subject.unit.text(end) }
        }
        return "\(trend.slope > 0 ? "+" : "")\(changeText(trend.slope)) (\(ends[0]) to \(ends[1]))"
    }
}
