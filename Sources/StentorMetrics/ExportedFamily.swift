/// A family of the Prometheus set: one row of the table that the set is written from, and that documents, dashboards and rules are checked
/// against.
public struct ExportedFamily: Sendable, Equatable {
    /// What Prometheus makes of its samples.
    public enum Kind: String, Sendable, CaseIterable {
        /// Only rises, and begins at 0 with each run.
        case counter
        /// Goes up and down.
        case gauge
        /// Classic: cumulative buckets, `_sum` and `_count`.
        case histogram
    }

    /// `stentor_<noun>_<unit>[_total]`.
    public let name: String
    /// What Prometheus makes of its samples.
    public let kind: Kind
    /// The unit of its values; durations are exported in seconds.
    public let unit: Unit
    /// One sentence, the `HELP` of the family.
    public let help: String
    /// The labels of its own, in the order in which they are written; `le` of histograms is one of them.
    public let labels: [String]
    /// Bounds of a histogram's buckets, rising, in seconds, bytes per second or things, without `+Inf`; empty for other kinds.
    public let buckets: [Double]
    /// Whether every set has it, from the first on.
    ///
    /// What is not always there was not measured, or was judged or known only later.
    public let isAlways: Bool

    /// All families, in the order in which a set has them; a set has no others.
    public static let all: [ExportedFamily] =
        RunFamily.allCases.filter { !$0.isLast }.map(\.exported) + Counter.allCases.map(\.exported)
        + LabelFamily.allCases.map(\.exported) + RunFamily.allCases.filter(\.isLast).map(\.exported) + Metric.allCases.map(\.exported)
}

/// The families that are neither counts nor distributions.
enum RunFamily: CaseIterable {
    case runInfo, startTime, elapsed, runFinished, phase, verdict, gatePassed, gateFailed, devices
    case outages, recoveredOutages, outageStart, outageLostDevices, outageReadyAfter, outageDials, outagePeakDials, outageSynchronisation
    case loopCPU, busiestLoop, residentMemory, residentMemoryPerDevice, gatewayMemory, openDescriptors, descriptorLimit, freePorts,
        droppedSeries

    var exported: ExportedFamily {
        let row = row
        return ExportedFamily(
            name: row.name, kind: isCounter ? .counter : .gauge, unit: row.unit, help: row.help, labels: row.labels, buckets: [],
            isAlways: !isOptional)
    }

    /// Whether it comes after the counts: what the generator says of itself.
    var isLast: Bool {
        switch self {
        case .runInfo, .startTime, .elapsed, .runFinished, .phase, .verdict, .gatePassed, .gateFailed, .devices, .outages,
            .recoveredOutages,
            .outageStart, .outageLostDevices, .outageReadyAfter, .outageDials, .outagePeakDials, .outageSynchronisation:
            false
        case .loopCPU, .busiestLoop, .residentMemory, .residentMemoryPerDevice, .gatewayMemory, .openDescriptors, .descriptorLimit,
            .freePorts, .droppedSeries:
            true
        }
    }

    private var isCounter: Bool { self == .outages || self == .recoveredOutages }

    private var isOptional: Bool {
        switch self {
        case .runInfo, .startTime, .elapsed, .runFinished, .phase, .verdict, .devices, .outages, .recoveredOutages, .droppedSeries: false
        case .gatePassed, .gateFailed, .outageStart, .outageLostDevices, .outageReadyAfter, .outageDials, .outagePeakDials,
            .outageSynchronisation, .loopCPU, .busiestLoop, .residentMemory, .residentMemoryPerDevice, .gatewayMemory, .openDescriptors,
            .descriptorLimit,
            .freePorts:
            true
        }
    }

    private var row: (name: String, unit: Unit, labels: [String], help: String) {
        switch self {
        case .runInfo:
            (
                "stentor_run_info", .count, ["run_id", "version", "profile", "digest", "dialect", "target", "shard"],
                "The run that these numbers come from; always 1."
            )
        case .startTime: ("stentor_start_time_seconds", .seconds, [], "Start of the run, in seconds since 1970.")
        case .elapsed: ("stentor_elapsed_seconds", .seconds, [], "Time since the start of the run.")
        case .runFinished:
            ("stentor_run_finished_timestamp_seconds", .seconds, [], "End of the run, in seconds since 1970; 0 while it goes on.")
        case .phase: ("stentor_phase", .count, ["phase"], "1 for the phase of the run at this moment.")
        case .verdict: ("stentor_verdict", .count, ["verdict"], "1 for the verdict of the run; incomplete while it goes on.")
        case .gatePassed:
            (
                "stentor_gate_passed", .count, ["gate"],
                "1 when the gate held, 0 when it failed or had no data; the first 64 gates, by their expressions."
            )
        case .gateFailed:
            (
                "stentor_gate_failed", .count, ["gate"],
                "1 when the gate fails on what was measured so far; without data, as in the first minutes, it has not failed."
            )
        case .devices: ("stentor_devices", .count, ["state"], "Devices by state.")
        case .outages: ("stentor_outages_total", .count, [], "Outages in which at least one ready device was lost.")
        case .recoveredOutages:
            (
                "stentor_recovered_outages_total", .count, [],
                "Of these, those that ended because 99 % of the devices were ready again; the others are open, or were cut short."
            )
        case .outageStart:
            ("stentor_outage_start_timestamp_seconds", .seconds, [], "Start of the latest outage, in seconds since 1970.")
        case .outageLostDevices:
            ("stentor_outage_lost_devices", .count, [], "Ready devices that the latest outage cost their connection.")
        case .outageReadyAfter:
            (
                "stentor_outage_ready_after_seconds", .seconds, ["share"],
                "Time from the start of the latest outage until a share of its devices was ready again: 0.5, 0.9, 0.99 and 1."
            )
        case .outageDials: ("stentor_outage_dials", .count, [], "Dials within the latest outage.")
        case .outagePeakDials:
            ("stentor_outage_peak_dials_per_second", .count, [], "The most dials begun within one second of the latest outage.")
        case .outageSynchronisation:
            (
                "stentor_outage_retry_synchronisation_ratio", .share, [],
                "Share of the latest outage's dials that began within its busiest 100 ms, 0 to 1."
            )
        case .loopCPU:
            (
                "stentor_loop_cpu_ratio", .share, ["loop"],
                "CPU of an event loop's thread over the last second, 0 to 1; the first 64 loops."
            )
        case .busiestLoop:
            (
                "stentor_busiest_loop_cpu_ratio", .share, [],
                "Largest share of a core that one event loop used over 10 seconds so far, 0 to 1."
            )
        case .residentMemory: ("stentor_resident_memory_bytes", .bytes, [], "Resident memory of the generator.")
        case .residentMemoryPerDevice:
            (
                "stentor_resident_memory_per_device_bytes", .bytes, [],
                "Resident memory that each device added to the generator, at the end of a run of 1000 devices or more."
            )
        case .gatewayMemory:
            (
                "stentor_gateway_resident_memory_bytes", .bytes, [],
                "Resident memory of the embedded gateway; in the last set the last that was read."
            )
        case .openDescriptors: ("stentor_open_fds", .count, [], "File descriptors that the generator has open.")
        case .descriptorLimit: ("stentor_max_fds", .count, [], "The generator's limit of file descriptors.")
        case .freePorts: ("stentor_free_ports", .count, [], "Local ports left for dials to the target, over all source addresses.")
        case .droppedSeries:
            ("stentor_dropped_series", .count, [], "Series left out because the set would have been too large; normally 0.")
        }
    }
}

extension Counter {
    /// The row of its family.
    var exported: ExportedFamily {
        ExportedFamily(
            name: prometheusName, kind: kind == .total || kind == .derived ? .counter : .gauge,
            unit: definition.noun.hasSuffix("bytes") ? .bytes : .count, help: help, labels: [], buckets: [], isAlways: true)
    }
}

extension LabelFamily {
    /// The row of its family.
    var exported: ExportedFamily {
        ExportedFamily(name: prometheusName, kind: .counter, unit: .count, help: help, labels: [label], buckets: [], isAlways: true)
    }
}

extension Metric {
    /// The row of its family.
    var exported: ExportedFamily {
        ExportedFamily(
            name: prometheusName, kind: .histogram, unit: unit, help: help, labels: ["phase", "le"],
            buckets: bounds.map { unit.shown(Double($0)) }, isAlways: true)
    }
}
