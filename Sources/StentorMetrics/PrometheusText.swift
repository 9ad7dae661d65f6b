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
    private var writer: ExpositionWriter

    /// Label names that samples of the set have themselves, or that Prometheus and the Pushgateway set: no label of a user may be called so.
    public static let reservedLabels: Set<String> =
        Set(ExportedFamily.all.flatMap(\.labels)).union(["job", "instance", "quantile"])

    /// Writes a snapshot.
    ///
    /// - Parameter labels: Labels that every series carries besides its own, each name once; where a sample has a label of that name
    ///   itself, its own stands. Labels of a user must not be among ``reservedLabels``. Default none.
    /// - Returns: UTF-8, the body of a push or of a scrape (`text/plain; version=0.0.4`).
    public static func render(_ snapshot: RunSnapshot, labels: [(name: String, value: String)] = []) -> [UInt8] {
        var text = PrometheusText(snapshot: snapshot, labels: labels)
        text.writeRun()
        text.writeOutages()
        text.writeCounters()
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

    private mutating func begin(_ family: ExportedFamily) {
        writer.family(family.name, family.kind, family.help)
    }

    mutating func write(_ family: RunFamily, _ value: Double) {
        write(family.exported, [([], value)])
    }

    mutating func write(_ family: ExportedFamily, _ samples: [(labels: [String], value: Double)]) {
        guard !samples.isEmpty else { return }
        begin(family)
        for sample in samples {
            writer.sample(family.name, Array(zip(family.labels, sample.labels)), sample.value)
        }
    }

    private mutating func writeRun() {
        let identity = snapshot.identity
        let labels = [
            identity.runID, identity.version, identity.profile, identity.profileDigest, identity.dialect, identity.targetHost,
            identity.shard,
        ]
        write(RunFamily.runInfo.exported, [(labels, 1)])
        write(.startTime, identity.startedAtSeconds)
        write(.elapsed, snapshot.elapsedSeconds)
        write(.runFinished, snapshot.finishedAtSeconds ?? 0)
        write(RunFamily.phase.exported, Phase.allCases.map { ([$0.name], $0 == snapshot.phase ? 1 : 0) })
        write(RunFamily.verdict.exported, Verdict.allCases.map { ([$0.rawValue], $0 == snapshot.verdict ? 1 : 0) })
        var seen: Set<String> = []
        let gates = snapshot.gates.filter { seen.insert($0.expression).inserted }.prefix(Self.listLimit)
        write(RunFamily.gatePassed.exported, gates.map { ([$0.expression], $0.verdict == .pass ? 1 : 0) })
        write(RunFamily.gateFailed.exported, gates.map { ([$0.expression], $0.verdict == .fail ? 1 : 0) })
        write(RunFamily.devices.exported, DeviceState.allCases.map { ([$0.name], Double(snapshot.devices(in: $0))) })
    }

    private mutating func writeCounters() {
        for counter in Counter.allCases { write(counter.exported, [([], Double(snapshot.count(counter)))]) }
    }

    private mutating func write(_ family: LabelFamily) {
        let counted = snapshot.labels(family)
        let always = family.closedLabels.isEmpty ? [CappedCounts.overflow] : family.closedLabels
        let zeros = always.filter { label in !counted.contains { $0.label == label } }
        write(family.exported, counted.map { ([$0.label], Double($0.count)) } + zeros.map { ([$0], 0) })
    }

    private mutating func writeGenerator() {
        let generator = snapshot.generator
        let loops = generator.cpuShareByLoop.prefix(Self.listLimit).enumerated()
        write(RunFamily.loopCPU.exported, loops.map { ([String($0.offset)], $0.element) })
        if let busiest = generator.busiestLoopShare { write(.busiestLoop, busiest) }
        let numbers: [(RunFamily, Int?)] = [
            (.residentMemory, generator.residentBytes), (.residentMemoryPerDevice, generator.residentBytesPerDevice),
            (.gatewayMemory, snapshot.gatewayResidentBytes), (.openDescriptors, generator.openDescriptors),
            (.descriptorLimit, generator.descriptorLimit),
            (.freePorts, generator.portsLeft),
        ]
        for (family, value) in numbers {
            if let value { write(family, Double(value)) }
        }
    }

    private mutating func writeHistograms() {
        let (chosen, dropped) = choice(within: Self.seriesLimit - writer.seriesCount - 1)
        write(.droppedSeries, Double(dropped))
        for (metric, phases) in zip(Metric.allCases, chosen) where !phases.isEmpty {
            begin(metric.exported)
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
