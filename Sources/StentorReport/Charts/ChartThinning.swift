/// Makes long series short enough to draw.
enum ChartThinning {
    /// The most points of a series.
    static let pointLimit = 600

    /// The indices of the rows to draw: of each of equal slices of time the row that matters most.
    ///
    /// - Parameters:
    ///   - times: Rising ends of the rows.
    ///   - weight: How much a row matters; of equal ones the last.
    /// - Returns: All indices when there are few; at most ``pointLimit`` otherwise, rising.
    static func rows(_ times: [Double], weight: (Int) -> Double) -> [Int] {
        guard times.count > pointLimit, let end = times.last, end > 0 else { return Array(times.indices) }
        let width = end / Double(pointLimit - 1)
        var kept: [Int] = []
        var slice = -1
        for index in times.indices {
            let own = Int(times[index] / width)
            if own != slice {
                slice = own
                kept.append(index)
            } else if let last = kept.last, weight(index) >= weight(last) {
                kept[kept.count - 1] = index
            }
        }
        return kept
    }

    /// How long the slices of a chart of percentiles are, in seconds: round, and at most 240 of them.
    static func sliceSeconds(_ duration: Double) -> Double {
        let widths: [Double] = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600]
        return widths.first { duration / $0 <= 240 } ?? max(3600, duration / 240)
    }
}
