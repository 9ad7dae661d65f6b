/// How far the dials of a window crowd together: the share of them within its busiest tenth of a second, to a hundredth.
struct DialCrowd {
    private static let span = 10

    private var recent: [Int: Int] = [:]
    private var busiest = 0
    private var total = 0

    /// The share; nil before the first dial.
    var share: Double? { total > 0 ? Double(busiest) / Double(total) : nil }

    /// Adds dials, each by the hundredth of a second in which it began; roughly in order.
    mutating func add(_ hundredths: [Int]) {
        guard let last = hundredths.max() else { return }
        total += hundredths.count
        for hundredth in hundredths { recent[hundredth, default: 0] += 1 }
        for end in Set(hundredths) {
            for start in end - Self.span + 1...end {
                busiest = max(busiest, (start..<start + Self.span).reduce(0) { $0 + (recent[$1] ?? 0) })
            }
        }
        // What comes later is at most a few turns of a loop late.
        recent = recent.filter { $0.key > last - 100 }
    }
}
