import StentorBase
import StentorMetrics

/// A chart before it is drawn.
struct Chart: Sendable {
    /// How values become heights.
    enum Scale: Sendable, Equatable {
        /// From 0.
        case linear
        /// By powers of ten; values that are not positive are left out.
        case log
    }

    /// A line, or an area of a stack.
    struct Series: Sendable {
        var name: String
        /// Which of the style sheet's colours and dashes it has, 1...8.
        var style: Int
        var points: [Point]
    }

    /// A value at a place; nil breaks the line.
    struct Point: Sendable, Equatable {
        var x: Double
        var y: Double?
    }

    /// A stretch of the x axis with another ground.
    struct Band: Sendable, Equatable {
        var from: Double
        var to: Double
        var label: String
    }

    /// A level that means something.
    struct Level: Sendable, Equatable {
        var value: Double
        var label: String
    }

    /// What the axis at the bottom counts.
    enum Abscissa: Sendable, Equatable {
        /// Seconds since the start of the run.
        case runTime
        /// Seconds since the start of an outage.
        case outageTime
    }

    var id: String
    var title: String
    /// What is drawn, in one or two sentences.
    var note: String
    var unit: Unit
    var scale = Scale.linear
    var abscissa = Abscissa.runTime
    var xMax: Double
    /// The top of a linear scale at least; nil: as the values want it.
    var yMax: Double?
    var isStacked = false
    var series: [Series]
    var bands: [Band] = []
    var levels: [Level] = []

    /// Whether there is anything to see: a value that is not 0.
    var hasData: Bool { series.contains { $0.points.contains { $0.y ?? 0 != 0 } } }
}

/// The places of the marks on an axis.
enum Ticks {
    /// Marks from 0 to at least `top`, about five, at 1, 2 or 5 times a power of ten.
    static func linear(top: Double) -> [Double] {
        guard top > 0, top.isFinite else { return [0, 1] }
        let raw = top / 4
        let power = exponent(raw)
        let step = [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= raw * 0.999 } ?? raw
        let count = Int((top / step).rounded(.up))
        return (0...max(1, count)).map { Double($0) * step }
    }

    /// Marks of bytes: like ``linear(top:)`` in the largest binary unit that fits.
    static func bytes(top: Double) -> [Double] {
        var unit = 1.0
        while top / unit >= 1024 { unit *= 1024 }
        return linear(top: top / unit).map { $0 * unit }
    }

    /// Marks of a share: quarters up to 100 %, or like ``linear(top:)``.
    static func share(top: Double) -> [Double] {
        top > 0.5 && top <= 1 ? [0, 0.25, 0.5, 0.75, 1] : linear(top: top)
    }

    /// Marks around the range, from at most its smallest to at least its largest value: powers of ten, and 2 and 5 times them where
    /// there are few.
    static func log(_ range: ClosedRange<Double>) -> [Double] {
        let first = exponent(range.lowerBound)
        let steps: [Double] = range.upperBound / first <= 100 ? [1, 2, 5] : [1]
        var marks: [Double] = []
        var power = first
        repeat {
            marks += steps.map { $0 * power }
            power *= 10
        } while marks[marks.count - 1] < range.upperBound * 0.9999 && marks.count < 60
        if power / 10 < range.upperBound * 1.0001 { marks.append(power) }
        let low = marks.lastIndex { $0 <= range.lowerBound * 1.0001 } ?? 0
        let high = marks.firstIndex { $0 >= range.upperBound * 0.9999 } ?? marks.count - 1
        return high > low ? Array(marks[low...high]) : [marks[low], marks[low] * 10]
    }

    /// Marks of a time axis, at most seven, at round numbers of seconds, minutes or hours.
    static func time(_ seconds: Double) -> [Double] {
        let steps: [Double] = [
            0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400, 172_800,
            604_800,
        ]
        let step = steps.first { seconds / $0 <= 6 } ?? seconds / 6
        guard step > 0, seconds.isFinite else { return [0] }
        return (0...Int(seconds / step + 1e-9)).map { Double($0) * step }
    }

    /// The greatest power of ten that is not above a positive value.
    static func exponent(_ value: Double) -> Double {
        var power = 1.0
        while power > value * 1.000_001, power > 1e-12 { power /= 10 }
        while power * 10 <= value * 1.000_001, power < 1e15 { power *= 10 }
        return power
    }
}
