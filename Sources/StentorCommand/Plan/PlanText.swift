import StentorBase
import StentorProfile

/// A plan as people read it.
struct PlanText {
    private let plan: RunPlan
    private let columns: Int

    /// The plan in so many columns; what is longer is cut, except gates and hints.
    static func text(_ plan: RunPlan, columns: Int) -> String {
        let text = PlanText(plan: plan, columns: max(40, columns))
        let blocks = [text.title, text.schedule, text.work, text.drills, text.gates, text.needs, text.options]
        return blocks.filter { !$0.isEmpty }.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }

    private var title: [String] {
        let profile = plan.profile
        let target = if case .url(let url) = profile.target.endpoint { url.description } else { "the embedded gateway" }
        return [
            fitted("plan of \(profile.name): nothing was started"),
            fitted("  target   \(target) (\(profile.target.dialect.rawValue))"), "  seed     \(profile.seed)",
            "  digest   \(profile.digest)",
        ]
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
        if plan.drilledDevices > 0 { rows.append(("reconnects", "about \(plan.drilledDevices) by drills")) }
        rows.append(("texts", plan.texts.map(Self.work) ?? "none"))
        rows.append(("photos", plan.photos.map(Self.work) ?? "none"))
        rows.append(("pings", plan.pings.map { "about \(Int($0.rounded()))" } ?? "none"))
        rows.append(("prompts", plan.profile.behaviour.prompts == nil ? "left open" : "unknown: the server sends them"))
        return ["expected"] + rows.map { fitted("  \(left($0.0, 13))\($0.1)") }
    }

    private static func work(_ work: RunPlan.Work) -> String {
        let bytes = Quantity.bytesText(work.totalBytes)
        return "about \(Int(work.total.rounded())), at most \(Quantity.significant(work.peakPerSecond))/s, \(bytes) in all"
    }

    private var drills: [String] {
        let drills = plan.profile.drills.sorted { $0.at < $1.at }
        guard !drills.isEmpty else { return [] }
        return ["drills"] + drills.map { fitted("  \(right(Self.exact($0.at), 10))  \(TerminalText.clean($0.name))\(Self.action($0))") }
    }

    private static func action(_ drill: Profile.Drill) -> String {
        guard case .disconnect(let disconnect) = drill.action else { return "" }
        let within = disconnect.within > .zero ? " within \(exact(disconnect.within))" : " at once"
        return ": \(disconnect.how.rawValue) \(percent(disconnect.share)) of the ready devices\(within)"
    }

    private static func percent(_ share: Double) -> String {
        let number = share * 100
        return (number == number.rounded() ? Quantity.fixed(number, decimals: 0) : Quantity.significant(number)) + " %"
    }

    private var gates: [String] {
        guard !plan.profile.gates.isEmpty else { return ["gates", "  none: the run passes whatever is measured"] }
        return ["gates"]
            + plan.profile.gates.map { rule in
                let abort = rule.abortsRun ? "  (aborts the run\(rule.after > .zero ? ", from \(Self.exact(rule.after)) on" : ""))" : ""
                return "  " + rule.gate.expression + abort
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
            guard plan.lingeringPorts > 0 else { return "" }
            return "  and \(plan.lingeringPorts) after a drill"
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

    private func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - TerminalText.width(of: text)))
    }

    private func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - TerminalText.width(of: text))) + text
    }

    private static func devices(_ count: Int) -> String { count == 1 ? "1 device" : "\(count) devices" }

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
