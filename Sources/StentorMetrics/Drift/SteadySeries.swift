import StentorBase

/// The values of each window as the drift of one number is estimated from.
struct DriftWindows {
    /// How many seconds make a window.
    let seconds: Int
    let points: [Trend.Point]

    init(seconds: Int, _ values: [(at: Instant, value: Double)]) {
        self.seconds = seconds
        let origin = values.first?.at ?? .distantPast
        points = values.map { Trend.Point(hours: Double($0.at.nanoseconds(since: origin)) / 3.6e12, value: $0.value) }
    }
}

/// Distributions of the steady phase, window by window, in bounded memory: at most ``WindowSeries/capacity`` histograms a metric.
///
/// Only metrics that a gate watches are kept: their histograms fill up for hours, and a generator whose memory grows cannot tell a leak.
struct SteadySeries: Sendable {
    private struct Histograms: WindowContent {
        /// In the order of the metrics that are watched; empty: no second yet.
        var watched: [PackedHistogram] = []

        init() {}

        init(_ second: ShardDelta, _ metrics: [Metric]) { watched = metrics.map { PackedHistogram(second.histogram($0, in: .steady)) } }

        mutating func merge(_ later: Histograms) {
            guard !watched.isEmpty else { return watched = later.watched }
            for index in later.watched.indices { watched[index].merge(later.watched[index]) }
        }
    }

    private let metrics: [Metric]
    private var series = WindowSeries<Histograms>()

    /// Begins a series of these metrics.
    init(_ metrics: [Metric]) {
        self.metrics = metrics
    }

    /// Adds a second, unless nothing belongs to the steady phase in it: windows hold steady seconds only.
    mutating func add(_ second: ShardDelta, at now: Instant) {
        guard !metrics.isEmpty, Metric.allCases.contains(where: { second.histogram($0, in: .steady).count > 0 }) else { return }
        series.add(Histograms(second, metrics), at: now)
    }

    /// The value of a statistic window by window.
    ///
    /// Windows are joined in pairs while a quarter of them has too few samples for the statistic and enough windows stay. A window with less
    /// than half the samples of the median window is left out: it lies at an edge of the phase, where only the quick or the slow are. None for
    /// a metric that is not watched.
    func windows(of metric: Metric, _ statistic: Gate.Statistic) -> DriftWindows {
        guard let place = metrics.firstIndex(of: metric) else { return DriftWindows(seconds: series.secondsPerWindow, []) }
        var windows = series.windows.filter { $0.content.watched[place].count > 0 }
        var seconds = series.secondsPerWindow
        while windows.count / 2 >= Trend.pointsNeeded,
            Self.count(windows.map { $0.content.watched[place].count }, atQuarter: 1) < statistic.samplesNeeded
        {
            windows = WindowSeries<Histograms>.paired(windows)
            seconds *= 2
        }
        let enough = max(1, Self.count(windows.map { $0.content.watched[place].count }, atQuarter: 2) / 2)
        return DriftWindows(
            seconds: seconds,
            windows.compactMap { window in
                let histogram = window.content.watched[place]
                guard histogram.count >= enough else { return nil }
                return statistic.value(of: Distribution(metric, histogram.histogram)).map { (window.middle, $0) }
            })
    }

    /// The lower quartile (1) or the median (2) of counts.
    private static func count(_ counts: [UInt64], atQuarter quarter: Int) -> UInt64 {
        counts.isEmpty ? 0 : counts.sorted()[counts.count * quarter / 4]
    }
}
