import Glibc

/// An axis through 0 on which both small and large differences show: even near 0, by powers of ten beyond.
struct StretchedAxis {
    /// Up to here it is about even, in the unit of the values.
    let core: Double
    private let low: Double
    private let high: Double

    /// Makes an axis that holds all values and 0.
    ///
    /// - Parameter core: More than 0.
    init(core: Double, _ values: some Sequence<Double>) {
        self.core = core
        let finite = values.filter(\.isFinite)
        let reach = core * 1e7
        let ends = (max(-reach, min(-2 * core, finite.min() ?? 0)), min(reach, max(2 * core, finite.max() ?? 0)))
        let (first, last) = (Self.stretched(ends.0, core), Self.stretched(ends.1, core))
        // Room for the marks at the ends.
        let margin = (last - first) * 0.03
        (low, high) = (first - margin, last + margin)
    }

    /// Where a value stands, 0...1; what lies beyond an end stands there.
    func place(_ value: Double) -> Double {
        guard value.isFinite else { return value < 0 ? 0 : 1 }
        return min(1, max(0, (Self.stretched(value, core) - low) / (high - low)))
    }

    /// Round values on the axis, 0 among them, rising.
    var ticks: [Double] {
        let reach = max(high, -low)
        let steps: [Double] = reach < 2.2 ? [1, 3] : [1]
        var positive: [Double] = []
        var power = core
        while Self.stretched(power, core) <= reach {
            positive += steps.map { $0 * power }
            power *= 10
        }
        // The first one would touch 0 where much else has to find room.
        if reach >= 1.3 { positive.removeFirst() }
        if positive.count > 3 { positive = positive.enumerated().filter { $0.offset % 2 == 1 }.map(\.element) }
        let all = positive.reversed().map { -$0 } + [0] + positive
        return all.filter { (low...high).contains(Self.stretched($0, core)) }
    }

    private static func stretched(_ value: Double, _ core: Double) -> Double {
        let length = log10(1 + abs(value) / core)
        return value < 0 ? -length : length
    }
}
