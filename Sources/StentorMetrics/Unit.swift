import StentorBase

/// What a number counts; decides how it is recorded, shown, compared and exported.
public enum Unit: Sendable {
    /// Recorded in nanoseconds, shown and exported in seconds.
    case seconds
    /// Bytes.
    case bytes
    /// Bytes per second.
    case bytesPerSecond
    /// A number of things.
    case count
    /// A fraction in 0...1, written as a percentage.
    case share

    /// A recorded value in the unit that it is shown in.
    public func shown(_ recorded: Double) -> Double {
        self == .seconds ? recorded / 1e9 : recorded
    }

    /// A shown value as people read it, for instance `12.3 ms`, `3.00 MiB/s` or `99.5 %`.
    public func text(_ shown: Double) -> String {
        switch self {
        case .seconds: Quantity.secondsText(shown)
        case .bytes: Quantity.bytesText(shown)
        case .bytesPerSecond: Quantity.bytesText(shown) + "/s"
        case .count: shown == shown.rounded() ? Quantity.fixed(shown, decimals: 0) : Quantity.significant(shown)
        case .share: Quantity.fixed(shown * 100, decimals: shareDecimals(shown)) + " %"
        }
    }

    /// Reads a value as a gate writes it, in the unit that is shown: `2s`, `300KiB`, `1MiB/s`, `100`, `99.5%`; nil when it does not fit.
    public func read(_ text: String) -> Double? {
        switch self {
        case .seconds: Quantity.duration(text).map(\.inSeconds)
        case .bytes: Quantity.byteCount(text).map(Double.init)
        case .bytesPerSecond: text.hasSuffix("/s") ? Quantity.byteCount(String(text.dropLast(2))).map(Double.init) : nil
        case .count: Self.number(text)
        case .share: Quantity.share(text)
        }
    }

    /// How a value is written, for error messages.
    public var expectation: String {
        switch self {
        case .seconds: Quantity.expectation.duration
        case .bytes: Quantity.expectation.byteCount
        case .bytesPerSecond: "a size per second such as 300KiB/s"
        case .count: "a number without a unit such as 0 or 100"
        case .share: Quantity.expectation.share
        }
    }

    /// The last part of a Prometheus name; empty for things and for names that end in their own unit.
    public var suffix: String {
        switch self {
        case .seconds: "seconds"
        case .bytes: "bytes"
        case .bytesPerSecond: "bytes_per_second"
        case .count: ""
        case .share: "ratio"
        }
    }

    /// More digits near the ends, where the interesting shares lie: 99.97 % is not 100 %.
    private func shareDecimals(_ share: Double) -> Int {
        share == 0 || share == 1 ? 0 : 3
    }

    private static func number(_ text: String) -> Double? {
        let isPlain = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }
        guard isPlain, text.first != ".", text.last != "." else { return nil }
        return Double(text)
    }
}
