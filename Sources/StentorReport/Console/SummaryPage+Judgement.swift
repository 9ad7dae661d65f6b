import StentorBase
import StentorMetrics

extension SummaryPage {
    /// A block per outage.
    func outages() -> [String] {
        guard !report.outages.isEmpty else { return [] }
        return ["outages"] + report.outages.flatMap(outage)
    }

    private func outage(_ outage: Outage) -> [String] {
        let back: [(String, Double?)] = [
            ("50 %", outage.readyAfter50Seconds), ("90 %", outage.readyAfter90Seconds), ("99 %", outage.readyAfter99Seconds),
            ("all", outage.readyAfter100Seconds),
        ]
        var items = ["at \(Quantity.secondsText(outage.startSeconds))", "\(Self.number(outage.devicesLost, "device")) lost"]
        items += back.compactMap { share, seconds in seconds.map { "\(share) ready after \(Quantity.secondsText($0))" } }
        items.append(outage.durationSeconds.map { "closed after \(Quantity.secondsText($0))" } ?? "still open at the end")
        if let attempts = outage.attempts { items.append(Self.number(attempts, "dial")) }
        if let peak = outage.peakDialsPerSecond { items.append("at most \(Self.number(peak, "dial")) in a second") }
        return layout.wrapped("", PrintableText.clean(outage.name), indent: 2) + layout.list("", items, indent: 4)
    }

    /// A row per gate, and beneath it why it did not hold.
    func gates() -> [String] {
        guard !snapshot.gates.isEmpty else { return [] }
        let rows = snapshot.gates.map { gate in
            [
                gate.verdict == .pass ? "✓" : "✗", PrintableText.clean(gate.expression), gate.valueText, "n=\(Self.short(gate.count))",
                (gate.phase?.name ?? "") + (gate.drift.map { " in windows of \($0.windowSeconds) s" } ?? ""),
            ]
        }
        let table = layout.table(rows, rightAligned: [2, 3], indent: 2)
        let isTable = layout.fits(table)
        var lines = ["gates"]
        for (index, gate) in snapshot.gates.enumerated() {
            for line in isTable ? [table[index]] : onItsOwn(rows[index]) { lines.append(painted(line, gate)) }
            if !gate.reason.isEmpty { lines += layout.wrapped("", PrintableText.clean(gate.reason), indent: 6) }
        }
        return lines
    }

    /// A gate whose expression leaves no room for columns.
    private func onItsOwn(_ cells: [String]) -> [String] {
        layout.wrapped("  \(cells[0])", cells[1], indent: 4) + layout.list("", cells[2...].filter { !$0.isEmpty }, indent: 6)
    }

    private func painted(_ line: String, _ gate: GateResult) -> String {
        guard paint.isOn, let mark = line.firstIndex(where: { $0 == "✓" || $0 == "✗" }) else { return line }
        let color: ConsolePaint.Color = gate.verdict == .pass ? .green : .red
        return line[..<mark] + paint(String(line[mark]), color) + line[line.index(after: mark)...]
    }

    /// Whether the gateway counted the same, and what it counted otherwise.
    func reconciliation() -> [String] {
        let rows = report.reconciliation
        guard !rows.isEmpty else { return [] }
        let differing = rows.filter { !$0.isEqual }
        guard !differing.isEmpty else {
            return layout.wrapped("gateway", "its own totals agree in all \(Self.number(rows.count, "count"))", indent: Self.margin)
        }
        let head = "its own totals differ in \(differing.count) of \(Self.number(rows.count, "count")) (ours, its own):"
        let table = differing.map { [PrintableText.clean($0.name), "\($0.ours)", "\($0.theirs)"] }
        return layout.wrapped("gateway", head, indent: Self.margin)
            + layout.table(table, rightAligned: [1, 2], indent: Self.margin)
    }

    /// What the generator used; its lags of the worst phase, since percentiles of phases cannot be joined.
    func generator() -> [String] {
        let numbers = snapshot.generator
        var items: [String] = []
        if !numbers.cpuShareByLoop.isEmpty {
            let shares = numbers.cpuShareByLoop.map { Quantity.fixed($0 * 100, decimals: 0) + " %" }
            items.append("CPU by loop \(shares.joined(separator: " "))")
        }
        if let busiest = numbers.busiestLoopShare { items.append("at most \(Quantity.fixed(busiest * 100, decimals: 0)) % over 10 s") }
        if let resident = numbers.residentBytes { items.append("\(Quantity.bytesText(Double(resident))) resident") }
        if let each = numbers.residentBytesPerDevice { items.append("\(Quantity.bytesText(Double(each))) a device") }
        if let open = numbers.openDescriptors {
            items.append("\(Self.number(open, "descriptor"))\(numbers.descriptorLimit.map { " of \($0)" } ?? "")")
        }
        if let ports = numbers.portsLeft { items.append("\(Self.number(ports, "port")) left") }
        items += [lateTimers, lag(.loopLag, "loop lag"), lag(.dialLag, "dial lag")].compactMap(\.self)
        return items.isEmpty ? [] : layout.list("generator", items, indent: Self.margin)
    }

    private var lateTimers: String? {
        let fired = snapshot.count(.timersFired)
        return fired > 0 ? "\(snapshot.count(.timersLate)) of \(Self.number(Int(fired), "timer")) late" : nil
    }

    private func lag(_ metric: Metric, _ name: String) -> String? {
        let phases = Phase.allCases.compactMap { snapshot.distribution(metric, in: $0) }
        guard let worst = phases.compactMap(\.max).max() else { return nil }
        let p99 = phases.compactMap { $0[.p99] }.max().map { "p99 \(metric.unit.text($0)) " } ?? ""
        return "\(name) \(p99)max \(metric.unit.text(worst))"
    }
}
