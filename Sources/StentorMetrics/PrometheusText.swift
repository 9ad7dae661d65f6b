import StentorBase

/// A snapshot as Prometheus reads it: text exposition format 0.0.4, without timestamps, ending with a newline.
///
/// Every family is there from the start, with zeros, so that a rate has a first sample and no panel is empty. At most ``seriesLimit``
/// series: labels are closed or capped, and whole histograms are left out when the rest would not fit, those of the steady phase
/// last; `stentor_dropped_series` tells how many series that were.
public struct PrometheusText {
    /// The most series of one set.
    public static let seriesLimit = 2000
    /// The most gates and loops that have a series of their own.
    public static let listLimit = 64

    let snapshot: RunSnapshot
    var writer: ExpositionWriter

    /// Label names that samples of the set have themselves, or that Prometheus and the Pushgateway set: no label of a user may be called so.
    public static let reservedLabels: Set<String> = Set(LabelFamily.allCases.map(\.label)).union([
        "le", "phase", "state", "loop", "gate", "verdict", "run_id", "version", "profile", "digest", "dialect", "target", "shard", "job",
        "instance", "share",
    ])

    /// Writes a snapshot.
    ///
    /// - Parameter labels: Labels that every series carries besides its own; none may be among ``reservedLabels``. Default none.
    /// - Returns: UTF-8, the body of a push or of a scrape (`text/plain; version=0.0.4`).
    public static func render(_ snapshot: RunSnapshot, labels: [(name: String, value: String)] = []) -> [UInt8] {
        var text = PrometheusText(snapshot: snapshot, labels: labels)
        text.writeRun()
        text.writeCounters()
        text.writeStates()
        text.writeOutages()
        for family in LabelFamily.allCases { text.write(family) }
        text.writeGenerator()
        text.writeHistograms()
        return text.writer.bytes
    }

    /// The content type of the text.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private init(snapshot: RunSnapshot, labels: [(name: String, value: String)]) {
        self.snapshot = snapshot
        writer = ExpositionWriter(common: labels)
    }

    mutating func gauge(_ name: String, _ value: Double, _ help: String) {
        writer.family(name, "gauge", help)
        writer.sample(name, [], value)
    }

    private mutating func writeRun() {
        let identity = snapshot.identity
        writer.family("stentor_run_info", "gauge", "The run that these numbers come from; always 1.")
        writer.sample(
            "stentor_run_info",
            [
                ("run_id", identity.runID), ("version", identity.version), ("profile", identity.profile),
                ("digest", identity.profileDigest),
                ("dialect", identity.dialect), ("target", identity.targetHost), ("shard", identity.shard),
            ], 1)
        gauge("stentor_start_time_seconds", identity.startedAtSeconds, "Start of the run, in seconds since 1970.")
        gauge("stentor_elapsed_seconds", snapshot.elapsedSeconds, "Time since the start of the run.")
        writer.family("stentor_phase", "gauge", "1 for the phase of the run at this moment.")
        for phase in Phase.allCases { writer.sample("stentor_phase", [("phase", phase.name)], phase == snapshot.phase ? 1 : 0) }
        writer.family("stentor_verdict", "gauge", "1 for the verdict of the run; incomplete while it goes on.")
        for verdict in Verdict.allCases {
            writer.sample("stentor_verdict", [("verdict", verdict.rawValue)], verdict == snapshot.verdict ? 1 : 0)
        }
        var seen: Set<String> = []
        let gates = snapshot.gates.filter { seen.insert($0.expression).inserted }.prefix(Self.listLimit)
        guard !gates.isEmpty else { return }
        writer.family("stentor_gate_passed", "gauge", "1 when the gate held, 0 when it failed or had no data.")
        for gate in gates { writer.sample("stentor_gate_passed", [("gate", gate.expression)], gate.verdict == .pass ? 1 : 0) }
        writer.family("stentor_gate_failed", "gauge", "1 when the gate fails on what was measured so far; without data it has not failed.")
        for gate in gates { writer.sample("stentor_gate_failed", [("gate", gate.expression)], gate.verdict == .fail ? 1 : 0) }
    }

    private mutating func writeCounters() {
        for counter in Counter.allCases {
            let isCounter = counter.kind == .total || counter.kind == .derived
            writer.family(counter.prometheusName, isCounter ? "counter" : "gauge", counter.help)
            writer.sample(counter.prometheusName, [], Double(snapshot.count(counter)))
        }
    }

    private mutating func writeStates() {
        writer.family("stentor_devices", "gauge", "Devices by state.")
        for state in DeviceState.allCases {
            writer.sample("stentor_devices", [("state", state.name)], Double(snapshot.devices(in: state)))
        }
    }

    private mutating func write(_ family: LabelFamily) {
        writer.family(family.prometheusName, "counter", family.help)
        let counted = snapshot.labels(family)
        let always = family.closedLabels.isEmpty ? [CappedCounts.overflow] : family.closedLabels
        let zeros = always.filter { label in !counted.contains { $0.label == label } }
        for entry in counted + zeros.map({ (label: $0, count: 0) }) {
            writer.sample(family.prometheusName, [(family.label, entry.label)], Double(entry.count))
        }
    }

    private mutating func writeGenerator() {
        let generator = snapshot.generator
        if !generator.cpuShareByLoop.isEmpty {
            writer.family("stentor_loop_cpu_ratio", "gauge", "CPU of an event loop's thread over the last second, 0 to 1.")
            for (index, share) in generator.cpuShareByLoop.prefix(Self.listLimit).enumerated() {
                writer.sample("stentor_loop_cpu_ratio", [("loop", String(index))], share)
            }
        }
        let gauges: [(String, Int?, String)] = [
            ("stentor_resident_memory_bytes", generator.residentBytes, "Resident memory of the generator."),
            (
                "stentor_resident_memory_per_device_bytes", generator.residentBytesPerDevice,
                "Resident memory that each device added to the generator."
            ),
            ("stentor_gateway_resident_memory_bytes", snapshot.gatewayResidentBytes, "Resident memory of the embedded gateway."),
            ("stentor_open_fds", generator.openDescriptors, "File descriptors that the generator has open."),
            ("stentor_max_fds", generator.descriptorLimit, "The generator's limit of file descriptors."),
            ("stentor_free_ports", generator.portsLeft, "Local ports that are free over all source addresses."),
        ]
        for (name, value, help) in gauges {
            if let value { gauge(name, Double(value), help) }
        }
    }

    private mutating func writeHistograms() {
        let (chosen, dropped) = choice(within: Self.seriesLimit - writer.seriesCount - 1)
        gauge("stentor_dropped_series", Double(dropped), "Series left out because the set would have been too large.")
        for (metric, phases) in zip(Metric.allCases, chosen) where !phases.isEmpty {
            writer.family(metric.prometheusName, "histogram", metric.help)
            for phase in Phase.allCases where phases.contains(phase) {
                write(snapshot.distribution(metric, in: phase) ?? Distribution(metric, Histogram()), phase)
            }
        }
    }

    /// Which phases of each metric fit; the phases that gates look at come first.
    private func choice(within budget: Int) -> (chosen: [Set<Phase>], dropped: Int) {
        var chosen = Array(repeating: Set<Phase>(), count: Metric.allCases.count)
        var left = budget
        var dropped = 0
        for phase in [Phase.steady, .recovery, .outage, .ramp, .drain] {
            for (index, metric) in Metric.allCases.enumerated()
            where metric.phasesFromStart.contains(phase) || snapshot.distribution(metric, in: phase) != nil {
                let cost = metric.bounds.count + 3
                if cost <= left {
                    left -= cost
                    chosen[index].insert(phase)
                } else {
                    dropped += cost
                }
            }
        }
        return (chosen, dropped)
    }

    private mutating func write(_ distribution: Distribution, _ phase: Phase) {
        let metric = distribution.metric
        let name = metric.prometheusName
        for (bound, count) in zip(metric.bounds, distribution.cumulativeCounts) {
            let le = ExpositionWriter.number(metric.unit.shown(Double(bound)))
            writer.sample(name + "_bucket", [("phase", phase.name), ("le", le)], Double(count))
        }
        writer.sample(name + "_bucket", [("phase", phase.name), ("le", "+Inf")], Double(distribution.count))
        writer.sample(name + "_sum", [("phase", phase.name)], distribution.sum)
        writer.sample(name + "_count", [("phase", phase.name)], Double(distribution.count))
    }
}
