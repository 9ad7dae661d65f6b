import StentorBase

/// How long devices were away, in steps of a millisecond: memory grows with distinct gaps, not with reconnects.
struct ReconnectGaps {
    private var counts: [Int: Int] = [:]
    private var total = 0

    /// Notes one gap.
    mutating func note(_ gap: Duration) {
        let milliseconds = Int((gap.wholeNanoseconds + 500_000) / 1_000_000)
        counts[max(0, milliseconds), default: 0] += 1
        total += 1
    }

    /// Writes count, least, median and greatest gap in seconds; only the count when there is none.
    func write(to json: inout TotalsWriter) {
        json.object("reconnect_gap_s") { json in
            json.member("count", total)
            guard total > 0 else { return }
            let sorted = counts.sorted { $0.key < $1.key }
            json.member("min", halfMilliseconds: 2 * rank(0, sorted))
            json.member("median", halfMilliseconds: rank((total - 1) / 2, sorted) + rank(total / 2, sorted))
            json.member("max", halfMilliseconds: 2 * rank(total - 1, sorted))
        }
    }

    private func rank(_ rank: Int, _ sorted: [(key: Int, value: Int)]) -> Int {
        var before = 0
        for (milliseconds, count) in sorted {
            before += count
            if before > rank { return milliseconds }
        }
        return 0
    }
}
