import StentorBase
import StentorMetrics

/// The differences of one number in words, with a true minus sign.
struct DifferenceText {
    let unit: Unit
    /// What differences are divided by; nil when they are told in the number's unit alone.
    let base: Double?

    init(_ number: NumberComparison) {
        unit = number.unit
        // A share is a percentage itself, and a percentage of a percentage misleads.
        base = number.unit == .share ? nil : number.base.value.flatMap { $0 == 0 ? nil : abs($0) }
    }

    /// In percent of the base where that can be said, otherwise in the number's unit.
    func change(_ value: Double) -> String { relative(value) ?? absolute(value) }

    /// The same without a sign.
    func amount(_ value: Double) -> String { String(change(abs(value)).drop { $0 == "+" }) }

    /// In percent of the base; nil for shares, and when the base is 0.
    func relative(_ value: Double) -> String? {
        guard let base else { return nil }
        return Self.signed(value) { Quantity.significant($0 / base * 100) + " %" }
    }

    /// In the number's unit; of shares in percentage points.
    func absolute(_ value: Double) -> String { Self.signed(value) { unit == .share ? Self.points($0) : unit.text($0) } }

    /// Both ends of an interval.
    func interval(_ low: Double, _ high: Double, _ text: (Double) -> String) -> String { "\(text(low)) … \(text(high))" }

    /// With `+`, or a minus sign as wide.
    static func signed(_ value: Double, _ text: (Double) -> String) -> String {
        let sign = value > 0 ? "+" : value < 0 ? "−" : ""
        return sign + (value.isFinite ? text(abs(value)) : "∞")
    }

    private static func points(_ share: Double) -> String {
        let points = share * 100
        let decimals = points == 0 ? 0 : points >= 1 ? 2 : points >= 0.01 ? 3 : points >= 0.001 ? 4 : points >= 0.0001 ? 5 : 7
        return Quantity.fixed(points, decimals: decimals) + " pp"
    }
}

/// Words for what came out.
enum FindingText {
    /// A mark and words, so that colour is not needed.
    static func verdict(_ verdict: ComparisonVerdict?) -> String {
        switch verdict {
        case .worse: #"<span class="mark fail">✗ worse</span>"#
        case .better: #"<span class="mark pass">✓ better</span>"#
        case .noDifferenceShown: #"<span class="mark none">○ no difference shown</span>"#
        case nil: #"<span class="unknown">not judged</span>"#
        }
    }

    /// Which way is better.
    static func direction(_ better: Direction) -> String {
        switch better {
        case .lower: "lower is better"
        case .higher: "higher is better"
        case .neither: "neither way is better"
        }
    }

    /// A probability to three decimals.
    static func probability(_ p: Double) -> String { p < 0.001 ? "&lt; 0.001" : Quantity.fixed(p, decimals: 3) }

    /// An effect size with its letter.
    static func effect(_ effect: Finding.Effect?) -> String {
        func number(_ value: Double) -> String { DifferenceText.signed(value) { Quantity.fixed($0, decimals: 2) } }
        return switch effect {
        case .cliffsDelta(let value): "δ \(number(value))"
        case .cohensH(let value): "h \(number(value))"
        case .paceRatio(let value): "pace × \(Quantity.significant(value))"
        case nil: "n/a"
        }
    }

    /// How it was judged, in a few words.
    static func method(_ method: NumberComparison.Method) -> String {
        switch method {
        case .blockBootstrap(let block, let time):
            "bootstrap of blocks of \(Quantity.secondsText(block)), autocorrelation time \(Quantity.secondsText(time))"
        case .score(let dispersion):
            "score intervals" + (dispersion > 1.0001 ? ", variance × \(Quantity.significant(dispersion))" : "")
        case .exact(let dispersion):
            "exact test of counts" + (dispersion > 1.0001 ? ", variance × \(Quantity.significant(dispersion))" : "")
        case .restrictedMean(let limit): "area below the curve up to \(Quantity.secondsText(limit))"
        case .median: "where the curve crosses one half"
        case .deviceMean: "mean of devices"
        }
    }

    /// The value of a side; of events also how many of how many.
    static func value(_ number: NumberComparison, _ side: NumberComparison.Side) -> String {
        guard let value = side.value else { return #"<span class="unknown">n/a (n=\#(count(side)))</span>"# }
        let events = side.events.map { " <small>\(HTMLText.count($0)) of \(count(side))</small>" } ?? ""
        return HTMLText.clean(number.unit.text(value)) + events
    }

    /// How many samples a side has.
    static func count(_ side: NumberComparison.Side) -> String { HTMLText.count(Int(min(max(0, side.count), 9e15))) }
}
