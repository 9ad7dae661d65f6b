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

    /// How long the slices are that means are taken of, in seconds, a multiple of ten; nil: there are few rows, and each has a point.
    ///
    /// Rows older than an hour stand for ten seconds: where there are such, only means over at least as long say the same everywhere.
    static func meanSeconds(_ times: [Double]) -> Double? {
        guard times.count > pointLimit, let end = times.last else { return nil }
        return max(10, (end / Double(pointLimit - 1) / 10).rounded(.up) * 10)
    }

    /// The means of slices, weighted by the lengths of the rows; of few rows themselves. A slice without values breaks the line.
    static func means(_ times: [Double], _ values: [Double?], lengths: [Double]) -> [Chart.Point] {
        guard let width = meanSeconds(times) else { return zip(times, values).map { Chart.Point(x: $0, y: $1) } }
        var points: [Chart.Point] = []
        var (slice, sum, weight) = (-1, 0.0, 0.0)
        func end() {
            if slice >= 0 { points.append(Chart.Point(x: (Double(slice) + 0.5) * width, y: weight > 0 ? sum / weight : nil)) }
        }
        for index in times.indices {
            let own = Int((times[index] - lengths[index] / 2) / width)
            if own != slice {
                end()
                (slice, sum, weight) = (own, 0, 0)
            }
            guard let value = values[index] else { continue }
            sum += value * lengths[index]
            weight += lengths[index]
        }
        end()
        return points
    }

    /// The last value of each slice: what totals stand at.
    static func last(_ times: [Double], _ values: [Double?]) -> [Chart.Point] {
        rows(times) { _ in 0 }.map { Chart.Point(x: times[$0], y: values[$0]) }
    }

    /// How long the slices of a chart of percentiles are, in seconds: round, and at most 240 of them.
    static func sliceSeconds(_ duration: Double) -> Double {
        let widths: [Double] = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600]
        return widths.first { duration / $0 <= 240 } ?? max(3600, duration / 240)
    }
}
