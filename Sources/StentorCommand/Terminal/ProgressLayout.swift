import StentorBase

/// Lays a frame out in lines, none wider than `columns` and no more than `rows`.
struct ProgressLayout {
    private typealias Cell = (text: String, role: TerminalStyle.Role)

    private static let labelColumns = 12
    private static let stateColumns = 17

    let frame: ProgressFrame
    let columns: Int
    let rows: Int

    /// The groups with empty lines between them, if there is room for those.
    var lines: [StyledLine] {
        let groups = [[heading, bar], devices, rates, latencies, [errors], notice].filter { !$0.isEmpty }
        let dense = groups.flatMap(\.self)
        guard dense.count + groups.count - 1 <= rows else { return Array(dense.prefix(rows)) }
        return Array(groups.joined(separator: [StyledLine(columns: columns)]))
    }

    private var heading: StyledLine {
        var line = StyledLine(columns: columns)
        let phase = TerminalText.clean(frame.phase, limit: columns / 2)
        // The phase matters more than a long target: it gets its room first.
        let room = columns - TerminalText.width(of: phase) - 2
        let title = TerminalText.clean(frame.title, limit: room)
        line.append(title, .title)
        line.append(TerminalText.clean("  " + frame.target, limit: room - TerminalText.width(of: title)), .faint)
        line.appendAtEnd(phase, frame.phase == "outage" ? .bad : .good)
        return line
    }

    private var bar: StyledLine {
        var line = StyledLine(columns: columns)
        var clock = ClockText.text(frame.elapsed)
        if let total = frame.total, let left = frame.left { clock += " of \(ClockText.text(total)), \(ClockText.text(left)) left" }
        guard let done = frame.doneRatio, columns - clock.count >= 20 else {
            line.append(clock)
            return line
        }
        let percent = " \(Int(done * 100))%"
        let room = columns - clock.count - 2 - 6 - 2
        let filled = Int(done * Double(room))
        line.append("[")
        line.append(String(repeating: "#", count: filled), .good)
        line.append(String(repeating: "-", count: room - filled), .faint)
        line.append("]" + percent)
        line.appendAtEnd(clock)
        return line
    }

    private var devices: [StyledLine] {
        let ready = frame.readyDevices
        var cells: [Cell] = [("\(ready)/\(frame.wantedDevices) ready", ready >= frame.wantedDevices ? .good : .warning)]
        for state in frame.states where state.name != "ready" && state.devices > 0 {
            cells.append(("\(state.devices) \(state.name)", state.name == "failed" || state.name == "stuck" ? .bad : .plain))
        }
        var lines = [labelled("devices")]
        var isFirst = true
        for cell in cells {
            if !isFirst, lines[lines.count - 1].freeColumns < TerminalText.width(of: cell.text) {
                lines.append(labelled(""))
                isFirst = true
            }
            lines[lines.count - 1].appendCell(cell.text, columns: Self.stateColumns, cell.role)
            isFirst = false
        }
        return lines
    }

    private var rates: [StyledLine] {
        guard !frame.rates.isEmpty else { return [] }
        return table([
            ("messages", frame.rates.map { ($0.name, .faint) }),
            ("per second", frame.rates.map { ($0.perSecond == 0 ? "0" : Quantity.significant($0.perSecond), .plain) }),
            ("in all", frame.rates.map { (CountText.text($0.total), .plain) }),
        ])
    }

    private var latencies: [StyledLine] {
        guard !frame.latencies.isEmpty else { return [] }
        let rows = frame.latencies.map { latency -> (String, [Cell]) in
            let texts = [
                LatencyText.text(latency.p50, latency.count), LatencyText.text(latency.p99, latency.count), CountText.text(latency.count),
            ]
            return (latency.name, texts.map { ($0, .plain) })
        }
        return table([("latency", [("p50", .faint), ("p99", .faint), ("samples", .faint)])] + rows)
    }

    private var errors: StyledLine {
        var line = labelled("errors")
        line.append(CountText.text(frame.errorTotal), frame.errorTotal == 0 ? .good : .bad)
        let shown = frame.errors.filter { $0.count > 0 }
        for (index, error) in shown.enumerated() {
            let more = "  and \(shown.count - index) more"
            let reserved = index == shown.count - 1 ? 0 : more.count
            guard line.appendWhole("  \(error.name) \(CountText.text(error.count))", leaving: reserved) else {
                line.append(more, .faint)
                break
            }
        }
        return line
    }

    private var notice: [StyledLine] {
        guard !frame.notice.isEmpty else { return [] }
        var line = StyledLine(columns: columns)
        line.append(frame.notice, .warning)
        return [line]
    }

    /// Rows of a label and right-aligned cells; columns that do not fit are left out, from the right.
    private func table(_ rows: [(label: String, cells: [Cell])]) -> [StyledLine] {
        var lines = rows.map { labelled($0.label) }
        for column in rows[0].cells.indices {
            let width = max(11, rows.map { TerminalText.width(of: TerminalText.clean($0.cells[column].text)) + 2 }.max() ?? 0)
            guard lines[0].freeColumns >= width else { break }
            for (index, row) in rows.enumerated() {
                lines[index].appendRight(row.cells[column].text, columns: width, row.cells[column].role)
            }
        }
        return lines
    }

    private func labelled(_ label: String) -> StyledLine {
        var line = StyledLine(columns: columns)
        line.appendCell(TerminalText.clean(label, limit: Self.labelColumns - 2), columns: Self.labelColumns, .faint)
        return line
    }
}
