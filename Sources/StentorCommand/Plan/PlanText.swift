import StentorBase
import StentorProfile

/// A plan as people read it.
struct PlanText {
    let plan: RunPlan
    private let columns: Int

    /// The plan in so many columns; what is longer is cut, except gates and hints.
    static func text(_ plan: RunPlan, columns: Int) -> String {
        let text = PlanText(plan: plan, columns: max(40, columns))
        let blocks = [text.title, text.schedule, text.work, text.faults, text.drills, text.comeback, text.gates, text.needs, text.options]
        return blocks.filter { !$0.isEmpty }.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }

    private var title: [String] {
        let profile = plan.profile
        let target = if case .url(let url) = profile.target.endpoint { url.description } else { "the embedded gateway" }
        return [
            fitted("plan of \(profile.name): nothing was started"),
            fitted("  target   \(target) (\(profile.target.dialect.rawValue))"), "  seed     \(profile.seed)",
            "  digest   \(profile.digest)",
        ] + wrapped("  from     ", profile.target.sourceAddresses.joined(separator: ", "))
    }

    private var schedule: [String] {
        let rows = plan.steps.map { step in
            let change =
                step.isRamp
                ? "ramp  \(step.from) to \(Self.devices(step.to)) in \(Self.exact(step.lasts))"
                : "hold  \(Self.devices(step.to)) for \(Self.exact(step.lasts))"
            return "  \(right(Self.exact(step.at), 10))  \(change)"
        }
        return ["schedule"] + rows + ["  \(right(Self.exact(plan.duration), 10))  end, after what is in flight"]
    }

    private var work: [String] {
        let last = plan.lastDial.map { ", the last due at \(Quantity.text($0))" } ?? ""
        var rows = [("first dials", "\(plan.dials), at most \(Quantity.significant(plan.dialsPerSecond))/s\(last)")]
        if let reconnects { rows.append(("reconnects", reconnects)) }
        rows.append(("texts", plan.texts.map(Self.work) ?? "none"))
        rows.append(("photos", plan.photos.map(Self.work) ?? "none"))
        rows.append(("pings", plan.pings.map { "about \(Int($0.rounded()))" } ?? "none"))
        if let absences = plan.absences { rows.append(("absences", "about \(Int(absences.rounded()))")) }
        rows.append(("prompts", plan.profile.behaviour.prompts == nil ? "left open" : "unknown: the server sends them"))
        return ["expected"] + rows.flatMap { wrapped("  \(left($0.0, 13))", $0.1) }
    }

    private static func work(_ work: RunPlan.Work) -> String {
        let bytes = Quantity.bytesText(work.totalBytes)
        return "about \(Int(work.total.rounded())), at most \(Quantity.significant(work.peakPerSecond))/s, \(bytes) in all"
    }

    private var gates: [String] {
        guard !plan.profile.gates.isEmpty else { return ["gates", "  none: the run passes whatever is measured"] }
        return ["gates"]
            + zip(plan.profile.gates, plan.driftOutlooks).flatMap { rule, outlook in
                let abort = rule.abortsRun ? "  (aborts the run\(rule.after > .zero ? ", from \(Self.exact(rule.after)) on" : ""))" : ""
                return ["  " + rule.gate.expression + abort] + (outlook.map { wrapped("      ", Self.windows($0)) } ?? [])
            }
    }

    private var needs: [String] {
        let rows = plan.needs.map { need -> String in
            let isMemory = need.kind == .memory
            func amount(_ count: Int) -> String { isMemory ? Quantity.bytesText(Double(count)) : "\(count)" }
            let mark = need.available == nil ? "?" : need.isMet ? "✓" : "✗"
            let available = need.available.map(amount) ?? "unknown"
            return fitted("  \(mark) \(left(need.kind.rawValue, 18))\(right(amount(need.needed), 12))\(right(available, 14))\(note(need))")
        }
        return ["\(left("this machine", 22))\(right("needed", 12))\(right("available", 14))"] + rows
    }

    private func note(_ need: RunPlan.Need) -> String {
        switch need.kind {
        case .descriptors:
            if case .embedded = plan.profile.target.endpoint { return "  in each of 2 processes" }
            return ""
        case .ports:
            let taken = plan.machine.portsTaken > 0 ? ["\(plan.machine.portsTaken) are taken"] : []
            let lingering = plan.lingeringPorts > 0 ? ["and \(plan.lingeringPorts) after a drill"] : []
            return (taken + lingering).isEmpty ? "" : "  " + (taken + lingering).joined(separator: ", ")
        case .memory: return "  without the kernel's"
        }
    }

    private var options: [String] {
        let origins = plan.profile.origins
        let paths = min(origins.map(\.path.count).max() ?? 0, 36)
        let sources = origins.map { $0.source.description.count }.max() ?? 0
        let values = max(8, columns - 2 - paths - 2 - sources - 2)
        return ["options"]
            + origins.map { origin in
                let value = TerminalText.fitted(TerminalText.clean(origin.value), columns: values)
                let path = TerminalText.fitted(origin.path, columns: paths)
                return "  \(left(path, paths))  \(left(value, values))  \(origin.source)"
            }
    }

    // MARK: - Columns

    private func fitted(_ line: String) -> String { TerminalText.fitted(line, columns: columns) }

    /// A text behind a head, on as many lines as it needs; none for an empty text. A word that is too long is cut.
    func wrapped(_ head: String, _ text: String) -> [String] {
        let indent = String(repeating: " ", count: TerminalText.width(of: head))
        var lines: [String] = []
        var line = head
        for word in text.split(separator: " ") {
            let isFirst = line == head || line == indent
            if !isFirst, TerminalText.width(of: line) + 1 + TerminalText.width(of: String(word)) > columns {
                lines.append(fitted(line))
                line = indent + word
            } else {
                line += isFirst ? String(word) : " \(word)"
            }
        }
        return text.isEmpty ? [] : lines + [fitted(line)]
    }

    func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - TerminalText.width(of: text)))
    }

    func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - TerminalText.width(of: text))) + text
    }

    static func devices(_ count: Int) -> String { count == 1 ? "1 device" : "\(count) devices" }

    /// A duration without rounding, as a profile writes it: `8h1m`, `1m30s`, `500ms`.
    static func exact(_ duration: Duration) -> String {
        var rest = duration.wholeNanoseconds
        var text = ""
        for (unit, factor) in [("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000)]
            as [(String, Int64)]
        {
            let count = rest / factor
            if count > 0 { text += "\(count)\(unit)" }
            rest -= count * factor
        }
        return text.isEmpty ? "0s" : text
    }
}
