import StentorBase
import StentorReport

/// What the value of an option must look like; checked before any command sees it.
public enum ValueShape: Sendable, Equatable {
    /// Any text that is not empty.
    case text
    /// A field of the profile and what it becomes: `path=value`.
    case override
    /// A label: `name=value`; the name as Prometheus takes it.
    case label
    /// A whole number in the range.
    case count(ClosedRange<Int>)
    /// A duration; more than 0 when `isPositive`.
    case duration(isPositive: Bool = false)
    /// A duration, or two as `A..B`.
    case durationRange
    /// A size in bytes.
    case byteCount
    /// A size in bytes, or two as `A..B`.
    case byteCountRange
    /// A rate.
    case rate
    /// A share.
    case share
    /// One of these words.
    case choice([String])
    /// A URL with one of these schemes, or one of the words.
    case url(schemes: [String], words: [String] = [])
    /// `worse`, or `worse:` and names of numbers.
    case failureRule
    /// `HOST:PORT` or `[IPv6]:PORT`; port 0 leaves the choice to the system.
    case address

    /// What is wrong with a value.
    ///
    /// Values that may hold a secret (URLs, overrides) are not repeated in the message.
    ///
    /// - Returns: A message without a full stop; nil when the value is right.
    public func fault(in value: String) -> String? {
        if accepts(value) { return nil }
        if value.isEmpty { return "expected \(expectation), got nothing" }
        if repeatsValue { return "expected \(expectation), got '\(TerminalText.clean(value, limit: 60))'" }
        return "expected \(expectation)"
    }

    /// The part of a value that names what it sets; two values with the same key contradict each other. Overrides do not: the last one holds.
    ///
    /// Nil: there is none.
    func key(of value: String) -> String? {
        switch self {
        case .label: Assignment(value)?.name
        case .override, .text, .count, .duration, .durationRange, .byteCount, .byteCountRange, .rate, .share, .choice, .url, .failureRule,
            .address:
            nil
        }
    }

    private var repeatsValue: Bool {
        switch self {
        case .override, .url: false
        case .text, .label, .count, .duration, .durationRange, .byteCount, .byteCountRange, .rate, .share, .choice, .failureRule, .address:
            true
        }
    }

    private func accepts(_ value: String) -> Bool {
        switch self {
        case .text: !value.isEmpty
        case .override: Assignment(value) != nil
        case .label: (Assignment(value)?.name).map(Self.isLabelName) ?? false
        case .count(let range): Self.wholeNumber(value).map(range.contains) ?? false
        case .duration(let isPositive): Quantity.duration(value).map { !isPositive || $0 > .zero } ?? false
        case .durationRange: Quantity.range(value, of: Quantity.duration) != nil
        case .byteCount: Quantity.byteCount(value) != nil
        case .byteCountRange: Quantity.range(value, of: Quantity.byteCount) != nil
        case .rate: Quantity.rate(value) != nil
        case .share: Quantity.share(value) != nil
        case .choice(let words): words.contains(value)
        case .url(let schemes, let words): words.contains(value) || Self.isURL(value, schemes)
        case .failureRule: FailureRule(value) != nil
        case .address: ListenAddress(value) != nil
        }
    }

    private var expectation: String {
        switch self {
        case .text: "a text"
        case .override: "path=value, such as devices.count=50"
        case .label: "name=value, the name of letters, digits and '_'"
        case .count(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .duration(let isPositive): Quantity.expectation.duration + (isPositive ? ", more than 0" : "")
        case .durationRange: Quantity.expectation.duration + ", or a range such as 20ms..80ms"
        case .byteCount: Quantity.expectation.byteCount
        case .byteCountRange: Quantity.expectation.byteCount + ", or a range such as 1MiB..3MiB"
        case .rate: Quantity.expectation.rate
        case .share: Quantity.expectation.share
        case .choice(let words): words.count == 1 ? "'\(words[0])'" : "one of \(words.joined(separator: ", "))"
        case .url(let schemes, let words):
            "a URL that begins with " + schemes.map { "\($0)://" }.joined(separator: ", ") + words.map { ", or '\($0)'" }.joined()
        case .failureRule: "'worse', or numbers such as 'worse:reply.p99,messages.lost'"
        case .address: "HOST:PORT, such as 127.0.0.1:8787"
        }
    }

    static func wholeNumber(_ text: String) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }

    /// Prometheus' data model: `[a-zA-Z_][a-zA-Z0-9_]*`; two underscores in front are reserved.
    private static func isLabelName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !name.hasPrefix("__"), !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return name.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0)) }
    }

    private static func isURL(_ text: String, _ schemes: [String]) -> Bool {
        guard let scheme = schemes.first(where: { text.hasPrefix($0 + "://") }) else { return false }
        let rest = text.dropFirst(scheme.count + 3)
        guard let host = rest.first, host != "/", host != ":", host != "?" else { return false }
        return rest.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }
}

/// A `name=value` argument, split at the first `=`.
public struct Assignment: Sendable, Equatable {
    /// What stands before the `=`; never empty.
    public let name: String
    /// What stands after it; may be empty.
    public let value: String

    /// Splits an argument; nil when there is no `=` or nothing before it.
    public init?(_ argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else { return nil }
        name = String(argument[..<equals])
        value = String(argument[argument.index(after: equals)...])
    }
}

/// A `HOST:PORT` argument.
public struct ListenAddress: Sendable, Equatable {
    /// A name or address, without the brackets of an IPv6 address; never empty.
    public let host: String
    /// 0...65535; 0 leaves the choice to the system.
    public let port: UInt16

    /// Splits an argument at its last colon; nil when it is not `HOST:PORT` or `[IPv6]:PORT`.
    public init?(_ argument: String) {
        guard let colon = argument.lastIndex(of: ":"),
            let number = ValueShape.wholeNumber(String(argument[argument.index(after: colon)...])), let port = UInt16(exactly: number)
        else { return nil }
        var host = argument[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else { return nil }
        self.host = String(host)
        self.port = port
    }
}
