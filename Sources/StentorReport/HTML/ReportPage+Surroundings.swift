import StentorBase
import StentorMetrics

extension ReportPage {
    /// What the run was, where it ran, what happened in it, and what the gateway counted itself.
    var surroundingsSection: String {
        """
        <section id="run" aria-labelledby="run-head"><h2 id="run-head">The run</h2>
        \(HTMLText.facts(identity))\(reconciliation)\(offenders)\(events)</section>

        """
    }

    private var identity: [(String, String)] {
        func text(_ value: JSONTree?) -> String { value?.string.map(HTMLText.name) ?? HTMLText.unknown }
        let host = run["host"]
        var facts = [
            ("run", text(run["run_id"])), ("profile", text(run["profile"])), ("profile digest", text(run["profile_digest"])),
            ("seed", files.seedDigits ?? run["seed"].map(Self.whole) ?? HTMLText.unknown), ("dialect", text(run["dialect"])),
            ("target", text(run["target_host"])),
            ("server version", text(run["server_version"])), ("started", text(run["started_at"])), ("ended", text(run["ended_at"])),
            ("stentor", text(run["version"])), ("generator", text(host?["hostname"])), ("kernel", text(host?["kernel"])),
            ("cores", host?["cores"]?.int.map(HTMLText.count) ?? HTMLText.unknown),
            ("memory", host?["memory_bytes"]?.double.map { HTMLText.clean(Quantity.bytesText($0)) } ?? HTMLText.unknown),
        ]
        if let shard = run["shard"]?.string { facts.append(("shard", HTMLText.clean(shard))) }
        for label in run["labels"]?.members ?? [] { facts.append(("label \(HTMLText.name(label.key))", text(label.value))) }
        facts += generator
        if let push = summary["push"], push.members != nil {
            let error = push["last_error"]?.string.map { ", last error: \(HTMLText.clean($0))" } ?? ""
            let end = push["end"]?.string == "failed" ? ", the last one too" : ""
            facts.append(("pushes", "\(push["attempts"]?.int ?? 0), of which \(push["failed"]?.int ?? 0) failed\(end)\(error)"))
        }
        return facts
    }

    private var generator: [(String, String)] {
        let numbers = summary["generator"]
        let shares = (numbers?["cpu_share_by_loop"]?.elements ?? []).compactMap(\.double).map {
            Quantity.fixed($0 * 100, decimals: 0) + " %"
        }
        func bytes(_ key: String) -> String? { numbers?[key]?.double.map { HTMLText.clean(Quantity.bytesText($0)) } }
        let limit = numbers?["descriptor_limit"]?.int.map { " of \(HTMLText.count($0))" } ?? ""
        return [
            ("CPU by loop", shares.isEmpty ? nil : shares.joined(separator: ", ")),
            (
                "busiest loop over 10 s",
                numbers?["cpu_busiest_10s"]?.double.map { Quantity.fixed($0 * 100, decimals: 0) + " %" }
            ),
            ("timers more than 10 ms late", numbers?["late_timers"]?.int.map(HTMLText.count)),
            ("resident at most", bytes("resident_bytes")),
            ("memory a device", bytes("resident_bytes_per_device")),
            ("descriptors at most", numbers?["open_descriptors"]?.int.map { HTMLText.count($0) + limit }),
            ("ports left at least", numbers?["ports_left"]?.int.map(HTMLText.count)),
        ].compactMap { name, value in value.map { (name, $0) } }
    }

    private static func whole(_ value: JSONTree) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .unsigned(let number): "\(number)"
        case .number(let number): HTMLText.clean("about \(number)")
        case .null, .bool, .text, .list, .object: HTMLText.unknown
        }
    }

    private var reconciliation: String {
        guard let rows = summary["reconciliation"]?.elements else { return "" }
        let cells = rows.map { row in
            let isEqual = row["is_equal"] == .bool(true)
            return [
                HTMLText.clean(row["name"]?.string ?? ""), row["ours"]?.int.map(HTMLText.count) ?? "",
                row["theirs"]?.int.map(HTMLText.count) ?? "",
                isEqual ? #"<span class="mark pass">✓ equal</span>"# : #"<span class="mark other">≠ differs</span>"#,
            ]
        }
        return HTMLText.table(
            "Our counts beside the gateway's own", head: ["what", "devices counted", "gateway counted", ""], texts: [0, 3], rows: cells)
    }

    // MARK: - Events

    private static let eventsShown = 200

    private var events: String {
        guard !files.events.isEmpty else { return "" }
        let rows = files.events.suffix(Self.eventsShown).map { event in
            [
                event["elapsed_s"]?.double.map(ClockLabel.full) ?? "–",
                HTMLText.clean(event["event"]?.string?.replacing("_", with: " ") ?? ""),
                Self.sentence(event),
            ]
        }
        let title = rows.count < files.events.count ? "The last \(rows.count) of \(HTMLText.count(files.events.count)) events" : "Events"
        let table = HTMLText.table(title, head: ["at", "event", "what"], texts: [0, 1, 2], rows: rows, class: "wrap")
        return "<details open><summary>Events</summary>\(table)</details>\n"
    }

    private static func sentence(_ event: JSONTree) -> String {
        func text(_ key: String) -> String? { event[key]?.string }
        let parts: [String?] =
            switch text("event") {
            case "start": [text("profile"), text("run_id")]
            case "phase": [text("from").map { "\($0) → \(text("to") ?? "")" } ?? text("to")]
            case "outage_opened": [event["outage"]?.int.map { "number \($0)" }, text("name")]
            case "outage_closed":
                [
                    event["outage"]?.int.map { "number \($0)" }, text("name"), event["devices_lost"]?.int.map { "\($0) devices lost" },
                    event["duration_s"]?.double.map { "after \(Quantity.secondsText($0))" },
                ]
            case "gate": [text("expression"), [text("from"), text("to")].compactMap(\.self).joined(separator: " → "), text("value")]
            case "drill_ended": [text("name"), text("result")]
            case "end": [text("verdict"), event["exit_code"]?.int.map { "exit code \($0)" }]
            default: [text("name"), text("text")]
            }
        return HTMLText.name(parts.compactMap(\.self).joined(separator: ", "))
    }

    // MARK: - Definitions

    var definitionsSection: String {
        let metrics = Metric.allCases.map { ("\($0.name)", HTMLText.clean("\($0.help) \(Self.unit($0.unit))")) }
        let counters = Counter.allCases.map { ("\($0.name)", HTMLText.clean($0.help)) }
        return """
            <section id="definitions" aria-labelledby="definitions-head"><h2 id="definitions-head">How each number is defined</h2>
            <h3>Distributions</h3>
            \(HTMLText.facts(metrics).replacing("class=\"facts\"", with: "class=\"facts defs\""))
            <h3 style="margin-top:1.2rem">Counts</h3>
            \(HTMLText.facts(counters).replacing("class=\"facts\"", with: "class=\"facts defs\""))</section>

            """
    }

    private static func unit(_ unit: Unit) -> String {
        switch unit {
        case .seconds: "In seconds."
        case .bytes: "In bytes."
        case .bytesPerSecond: "In bytes per second."
        case .count: "A number."
        case .share: "A share."
        }
    }
}
