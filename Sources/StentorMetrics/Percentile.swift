/// The percentiles that Stentor reports.
///
/// Closed: gates, summaries and tables know no others.
public enum Percentile: String, CaseIterable, Sendable {
    /// The median.
    case p50
    /// The value that 90 % of the samples do not exceed.
    case p90
    /// The value that 95 % of the samples do not exceed.
    case p95
    /// The value that 99 % of the samples do not exceed.
    case p99
    /// The value that 99.9 % of the samples do not exceed.
    case p999

    /// The percentile in thousandths.
    public var perMille: UInt64 {
        switch self {
        case .p50: 500
        case .p90: 900
        case .p95: 950
        case .p99: 990
        case .p999: 999
        }
    }

    /// How many samples it takes before the percentile is available: one is expected beyond it, 1 / (1 − p).
    ///
    /// 2, 10, 20, 100 and 1000. With fewer, the percentile would only be another name for the maximum.
    public var samplesNeeded: UInt64 { 1000 / (1000 - perMille) }
}
