import StentorBase
import StentorMetrics

/// The charts of a run, from its timeline and its intervals.
struct RunCharts {
    private let timeline: TimelineReader
    private let times: [Double]
    private let intervals: [IntervalEntry]
    private let outages: [OutageView]
    private let reconnects: [ReconnectView]
    private let xMax: Double

    init(_ files: RunFiles) {
        timeline = files.timeline
        times = files.timeline.times
        intervals = files.intervals
        outages = files.outages
        reconnects = files.reconnects
        let ends = files.intervals.map { $0.startSeconds + $0.lengthSeconds }
        xMax = max(times.max() ?? 0, ends.max() ?? 0, files.outages.map(\.startSeconds).max() ?? 0)
    }

    /// Where the last row of the timeline ends, in seconds since the start of the run; 0 without rows.
    var endSeconds: Double { times.last ?? 0 }

    /// The metrics whose intervals are drawn.
    static let metrics: Set<Metric> = [.reply, .usable, .loopLag]

    var states: Chart { withBands(statesChart) }
    var connections: Chart {
        lines(
            "connections", "Connects and losses", "Events a second: dials begun, connections that became ready, ready connections lost.",
            .count,
            [("dials", "dials_per_s", 1), ("ready", "ready_per_s", 2), ("losses", "losses_per_s", 5)])
    }
    var texts: Chart {
        lines(
            "texts", "Texts", "Texts a second: handed to the kernel, and replies that ended in time.", .count,
            [("sent", "texts_sent_per_s", 1), ("answered", "texts_answered_per_s", 2)])
    }
    var reply: Chart { percentiles(.reply, "reply", "Reply", "From the instant a text was due to the end of its reply, logarithmic.") }
    var usable: Chart {
        percentiles(.usable, "usable", "Dial to ready", "From the start of a dial to the device ready, logarithmic.")
    }
    var transfers: Chart {
        lines(
            "transfers", "Uploads and downloads",
            "Bytes of photos a second, all devices together: sent, before encoding, and received, after decoding.",
            .bytesPerSecond, [("upload", "upload_bytes_per_s", 1), ("reassembly", "download_bytes_per_s", 2)])
    }
    var errors: Chart {
        let columns = [
            ("lost", "texts_lost_total", 5), ("late", "texts_late_total", 3), ("duplicated", "texts_duplicated_total", 4),
            ("not sent", "texts_not_sent_total", 6), ("corrupt photos", "media_corrupt_total", 1),
            ("server errors", "server_errors_total", 7),
        ]
        let counted = columns.filter { timeline.column($0.1).contains { $0 ?? 0 > 0 } }
        return lines(
            "errors", "Errors", "Texts, photos and error messages, counted since the start; kinds that did not occur are left out.", .count,
            counted)
    }
    var processor: Chart {
        var chart = lines(
            "cpu", "Generator: CPU", "The busiest event loop over each second. At 100 % the generator, not the target, is the limit.",
            .share,
            [("busiest loop", "cpu_busiest_loop", 1)])
        chart.yMax = 1
        return chart
    }
    var loopLag: Chart {
        var chart = percentiles(.loopLag, "lag", "Generator: loop lag", "How late the event loops fired their timers, logarithmic.")
        chart.levels = [Chart.Level(value: 0.05, label: "limit 50 ms")]
        return chart
    }
    var memory: Chart {
        lines("memory", "Generator: memory", "Resident memory of the process.", .bytes, [("resident", "resident_bytes", 4)])
    }

    // MARK: - From the timeline

    private var statesChart: Chart {
        let groups: [(String, [DeviceState], Int)] = [
            ("ready", [.ready], 2), ("connecting", [.dialling, .upgrading, .greeting], 1), ("backing off", [.backingOff], 3),
            ("failed or stuck", [.failed, .stuck], 5), ("left", [.left], 7), ("waiting", [.waiting], 8),
        ]
        let columns = groups.map { group in group.1.map { timeline.column("devices_\($0.name)") } }
        let ready = timeline.column("devices_ready")
        let rows = ChartThinning.rows(times) { -(ready[$0] ?? 0) }
        let series = zip(groups, columns).map { group, columns in
            Chart.Series(
                name: group.0, style: group.2,
                points: rows.map { row in Chart.Point(x: times[row], y: columns.reduce(0) { $0 + ($1[row] ?? 0) }) })
        }
        return Chart(
            id: "states", title: "Devices",
            note: "Every device is in one state." + thinned(rows, "the second with the fewest ready devices"),
            unit: .count, xMax: xMax, isStacked: true, series: series.filter { series in series.points.contains { $0.y != 0 } })
    }

    private func lines(_ id: String, _ title: String, _ note: String, _ unit: Unit, _ columns: [(String, String, Int)]) -> Chart {
        let lengths = timeline.column("interval_s").map { $0 ?? 1 }
        let series = columns.map { name, column, style in
            // The last row may be a fraction of a second, in which one event makes a peak.
            let isRate = column.hasSuffix("_per_s")
            let values = zip(timeline.column(column), lengths).map { value, length in isRate && length < 0.5 ? nil : value }
            let points =
                column.hasSuffix("_total")
                ? ChartThinning.last(times, values) : ChartThinning.means(times, values, lengths: lengths)
            return Chart.Series(name: name, style: style, points: points)
        }
        let width = ChartThinning.meanSeconds(times)
        let isMean = width != nil && columns.contains { !$0.1.hasSuffix("_total") }
        let more = isMean ? " Each point is the mean of \(ChartDrawing.short(Quantity.secondsText(width ?? 0)))." : ""
        return withBands(Chart(id: id, title: title, note: note + more, unit: unit, xMax: xMax, series: series))
    }

    private func thinned(_ rows: [Int], _ what: String) -> String {
        rows.count < times.count ? " Each point is \(what) of its slice of time." : ""
    }

    // MARK: - From the intervals

    private func percentiles(_ metric: Metric, _ id: String, _ title: String, _ note: String) -> Chart {
        let width = ChartThinning.sliceSeconds(xMax)
        var slices: [Int: Histogram] = [:]
        for entry in intervals where entry.metric == metric {
            slices[Int((entry.startSeconds + entry.lengthSeconds / 2) / width), default: Histogram()].merge(entry.histogram)
        }
        let last = slices.keys.max() ?? -1
        func series(_ name: String, _ style: Int, _ value: (Histogram) -> UInt64?) -> Chart.Series {
            let points = (0...max(0, last)).map { index in
                Chart.Point(x: (Double(index) + 0.5) * width, y: slices[index].flatMap(value).map { metric.unit.shown(Double($0)) })
            }
            return Chart.Series(name: name, style: style, points: points)
        }
        let all = [
            series("p50", 2) { $0.percentile(.p50) }, series("p95", 1) { $0.percentile(.p95) }, series("p99", 4) { $0.percentile(.p99) },
            series("max", 6) { $0.max },
        ]
        let slice =
            "\(note) Each point: the samples of \(ChartDrawing.short(Quantity.secondsText(width))), phases together; a percentile needs enough of them."
        return withBands(
            Chart(
                id: id, title: title, note: slice, unit: metric.unit, scale: .log, xMax: xMax,
                series: all.filter { $0.points.contains { $0.y != nil } }))
    }

    // MARK: - Outages

    private func withBands(_ chart: Chart) -> Chart {
        var chart = chart
        chart.bands = outages.map { Chart.Band(from: $0.startSeconds, to: $0.endSeconds ?? xMax, label: "\($0.number)") }
        return chart
    }

    /// How many outages have a curve.
    private static let curves = 8

    /// Who was ready again after each outage, and when.
    var returns: Chart {
        let worst = outages.filter { $0.devicesLost > 0 }.sorted { $0.devicesLost > $1.devicesLost }.prefix(Self.curves)
        let shown = worst.sorted { $0.number < $1.number }
        let series = shown.enumerated().map { index, outage in
            Chart.Series(
                name: "\(outage.number) \(String(outage.name.prefix(60)))", style: index + 1, points: curve(outage))
        }
        let more = outages.count > shown.count ? " \(shown.count) of \(outages.count) outages, those with the most devices lost." : ""
        let end = series.flatMap(\.points).map(\.x).max() ?? 0
        return Chart(
            id: "returns", title: "Ready again after an outage",
            note: "Share of the devices lost in an outage that were ready again, since its start.\(more)",
            unit: .share, abscissa: .outageTime, xMax: end, yMax: 1, series: series)
    }

    /// Steps up to each return; without the returns of single devices, the instants at which 50, 90, 99 and 100 % were reached.
    private func curve(_ outage: OutageView) -> [Chart.Point] {
        let own = reconnects.filter { $0.outage == outage.number }
        var steps = [(0.0, 0.0)]
        if own.isEmpty {
            steps += outage.readyAfter
        } else {
            let returns = own.compactMap(\.readySeconds).map { max(0, $0 - outage.startSeconds) }.sorted()
            let stride = max(1, returns.count / 200)
            for (index, time) in returns.enumerated() where (index + 1) % stride == 0 || index == returns.count - 1 {
                steps.append((time, Double(index + 1) / Double(own.count)))
            }
        }
        if let length = outage.lengthSeconds, let last = steps.last, length > last.0 { steps.append((length, last.1)) }
        var points = [Chart.Point(x: 0, y: 0)]
        for (before, step) in zip(steps, steps.dropFirst()) {
            points += [Chart.Point(x: step.0, y: before.1), Chart.Point(x: step.0, y: step.1)]
        }
        return points
    }
}
