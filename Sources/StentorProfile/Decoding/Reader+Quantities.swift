import StentorBase

/// A kind of quantity: how it is read, worded, and which unit a bare number most likely lacks.
struct QuantityKind<Value: Comparable & Sendable>: Sendable {
    let read: @Sendable (String) -> Value?
    let expectation: String
    let likelyUnit: String
    let exampleRange: String
}

extension QuantityKind where Value == Duration {
    static var duration: QuantityKind<Duration> {
        QuantityKind(
            read: Quantity.duration, expectation: Quantity.expectation.duration, likelyUnit: "s", exampleRange: "1s..5s")
    }
}

extension QuantityKind where Value == Int {
    static var byteCount: QuantityKind<Int> {
        QuantityKind(
            read: Quantity.byteCount, expectation: Quantity.expectation.byteCount, likelyUnit: "B", exampleRange: "20B..400B")
    }
}

extension QuantityKind where Value == Double {
    static var rate: QuantityKind<Double> {
        QuantityKind(read: Quantity.rate, expectation: Quantity.expectation.rate, likelyUnit: "/s", exampleRange: "")
    }

    static var share: QuantityKind<Double> {
        QuantityKind(read: Quantity.share, expectation: Quantity.expectation.share, likelyUnit: "%", exampleRange: "")
    }
}

extension QuantityKind {
    func complaint(about scalar: YAMLScalar, orRange: Bool = false) -> Complaint {
        let range = orRange ? ", or a range such as \(exampleRange)" : ""
        return Complaint("expected \(expectation)\(range), found \(scalar.shown)", hint: hint(for: scalar.written))
    }

    private func hint(for written: String) -> String {
        if read(written + likelyUnit) != nil { return "a unit is missing: did you mean '\(written)\(likelyUnit)'?" }
        if written.contains(" "), read(written.filter { $0 != " " }) != nil { return "write it without blanks" }
        if written.hasPrefix("-") { return "it cannot be negative" }
        return ""
    }
}

extension Reader {
    /// One quantity.
    private static func quantity(_ kind: QuantityKind<Value>) -> Reader<Value> where Value: Comparable & Sendable {
        Reader { scalar throws(Complaint) in
            guard let value = kind.read(scalar.text) else { throw kind.complaint(about: scalar) }
            return value
        }
    }

    /// A quantity, or a range of two.
    fileprivate static func range<Bound: Comparable & Sendable>(_ kind: QuantityKind<Bound>) -> Reader<ClosedRange<Bound>>
    where Value == ClosedRange<Bound> {
        Reader { scalar throws(Complaint) in
            if let range = Quantity.range(scalar.text, of: kind.read) { return range }
            let ends = scalar.written.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
            guard ends.count == 2 else { throw kind.complaint(about: scalar, orRange: true) }
            if kind.read(ends[0]) != nil, kind.read(ends[1]) != nil {
                throw Complaint("the range \(scalar.shown) runs backwards", hint: "write \(ends[1])..\(ends[0])")
            }
            throw Complaint(
                "expected \(kind.expectation), or a range such as \(kind.exampleRange), found \(scalar.shown)",
                hint: "both ends of a range need a unit")
        }
    }
}

extension Reader where Value == Duration {
    /// Longest duration of any option.
    private static var longest: Duration { .seconds(365 * 86400) }

    /// A duration of more than 0, at most 365 days.
    static var duration: Reader<Duration> { duration(atLeast: .nanoseconds(1), "more than 0s") }

    /// A duration of 0 or more, at most 365 days.
    static var durationOrZero: Reader<Duration> { duration(atLeast: .zero, "") }

    /// A duration with a least value, which `bound` words.
    static func duration(atLeast least: Duration, _ bound: String) -> Reader<Duration> {
        quantity(.duration).then { value, scalar throws(Complaint) in
            guard value >= least else { throw Complaint("\(scalar.shown) is too short", hint: "it must be \(bound)") }
            guard value <= longest else { throw Complaint("\(scalar.shown) is too long", hint: "it must be at most 365d") }
            return value
        }
    }
}

extension Reader where Value == ClosedRange<Duration> {
    /// A duration or a range of durations, 0 or more, at most 365 days.
    static var durationRange: Reader<ClosedRange<Duration>> {
        range(.duration).then { range, scalar throws(Complaint) in
            guard range.upperBound <= .seconds(365 * 86400) else {
                throw Complaint("\(scalar.shown) is too long", hint: "it must be at most 365d")
            }
            return range
        }
    }
}

extension Reader where Value == Int {
    /// A size between two sizes, both written as sizes.
    static func byteCount(_ low: String, _ high: String) -> Reader<Int> {
        quantity(.byteCount).then { value, scalar throws(Complaint) in
            guard let least = Quantity.byteCount(low), let most = Quantity.byteCount(high), (least...most).contains(value) else {
                throw Complaint("\(scalar.shown) is out of range", hint: "from \(low) to \(high)")
            }
            return value
        }
    }
}

extension Reader where Value == ClosedRange<Int> {
    /// A size or a range of sizes, between two sizes; `why` ends the hint.
    static func byteRange(_ low: String, _ high: String, why: String = "") -> Reader<ClosedRange<Int>> {
        range(.byteCount).then { range, scalar throws(Complaint) in
            guard let least = Quantity.byteCount(low), let most = Quantity.byteCount(high), least <= range.lowerBound,
                range.upperBound <= most
            else {
                throw Complaint("\(scalar.shown) is out of range", hint: "from \(low) to \(high)\(why)")
            }
            return range
        }
    }
}

extension Reader where Value == Double {
    /// A rate of more than 0, at most 100,000 a second; events per second.
    static var rate: Reader<Double> {
        quantity(.rate).then { value, scalar throws(Complaint) in
            guard value > 0, value <= 100_000 else {
                throw Complaint("\(scalar.shown) is out of range", hint: "more than 0/s, at most 100000/s")
            }
            return value
        }
    }

    /// A share in 0...1.
    static var share: Reader<Double> { quantity(.share) }

    /// A share of more than 0.
    static var someShare: Reader<Double> {
        share.then { value, scalar throws(Complaint) in
            guard value > 0 else { throw Complaint("\(scalar.shown) is too little", hint: "it must be more than 0%") }
            return value
        }
    }
}
