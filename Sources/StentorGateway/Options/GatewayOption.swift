import StentorBase

/// One option of the simulated gateway by name: the row from which flags, profile fields and documentation are made.
public struct GatewayOption: Sendable {
    /// What an option takes.
    public enum Kind: Sendable, Equatable {
        /// Yes or no: `--name` and `--no-name` as flags, `true` and `false` as values. The payload is the default.
        case flag(default: Bool)
        /// One value; the payload names it in help, for instance `DURATION`.
        case value(placeholder: String)
        /// A value that may be given several times, each adding one.
        case repeated(placeholder: String)
    }

    /// The name without dashes in front, for instance `reply-delay`.
    public let name: String
    /// What it takes.
    public let kind: Kind
    /// One line of help, with the default where it is not plain.
    public let help: String
    let set: @Sendable (String, inout GatewayOptions) throws(UserFailure) -> Void

    /// The name as a profile writes it, for instance `reply_delay`.
    public var profileKey: String {
        String(name.map { $0 == "-" ? "_" : $0 })
    }

    /// Reads a value and sets it; a flag takes `true` or `false` (also `yes` or `no`).
    ///
    /// - Parameters:
    ///   - text: The value as written, with its unit.
    ///   - options: What it is set in; unchanged after a failure.
    /// - Throws: A ``UserFailure`` `.arguments` placed at `--name`, whose message quotes the value unless the value is a secret.
    public func apply(_ text: String, to options: inout GatewayOptions) throws(UserFailure) {
        try set(text, &options)
    }

    /// The option of a name, written with dashes or underscores; nil when there is none.
    public static func named(_ name: String) -> GatewayOption? {
        all.first { $0.name == name || $0.profileKey == name }
    }
}

// Makers of rows, one per type of value.
extension GatewayOption {
    /// The field that a row sets.
    typealias Field<Value> = any WritableKeyPath<GatewayOptions, Value> & Sendable

    static func failure(_ name: String, _ text: String, _ expected: String) -> UserFailure {
        UserFailure(.arguments, "'\(text)' is not \(expected)", place: "--\(name)")
    }

    /// A row whose value `read` turns into what the field holds; nil is a value that it does not accept.
    static func row<Value>(
        _ name: String, _ placeholder: String, _ expected: String, _ help: String,
        _ path: Field<Value>, _ read: @escaping @Sendable (String) -> Value?
    ) -> GatewayOption {
        GatewayOption(name: name, kind: .value(placeholder: placeholder), help: help) { (text, options) throws(UserFailure) in
            guard let value = read(text) else { throw failure(name, text, expected) }
            options[keyPath: path] = value
        }
    }

    static func flag(_ name: String, _ path: Field<Bool>, _ help: String) -> GatewayOption {
        GatewayOption(name: name, kind: .flag(default: GatewayOptions()[keyPath: path]), help: help) {
            (text, options) throws(UserFailure) in
            switch text {
            case "true", "yes": options[keyPath: path] = true
            case "false", "no": options[keyPath: path] = false
            default: throw failure(name, text, "true or false")
            }
        }
    }

    static func duration(_ name: String, _ path: Field<Duration>, _ help: String) -> GatewayOption {
        row(name, "DURATION", Quantity.expectation.duration, help, path, Quantity.duration)
    }

    /// A duration above zero: a period or a moment.
    static func period(_ name: String, _ path: Field<Duration?>, _ help: String) -> GatewayOption {
        row(name, "DURATION", Quantity.expectation.duration + ", above zero", help, path) { text in
            Quantity.duration(text).flatMap { $0 > .zero ? .some(.some($0)) : nil }
        }
    }

    static func durations(
        _ name: String, _ path: Field<ClosedRange<Duration>>, _ help: String
    ) -> GatewayOption {
        row(name, "A..B", "a duration or a range such as 20ms..80ms", help, path) { Quantity.range($0, of: Quantity.duration) }
    }

    static func byteCount(_ name: String, _ path: Field<Int>, _ help: String) -> GatewayOption {
        row(name, "SIZE", Quantity.expectation.byteCount + ", above zero", help, path) { text in
            Quantity.byteCount(text).flatMap { $0 > 0 ? $0 : nil }
        }
    }

    static func integer(
        _ name: String, in range: ClosedRange<Int>, _ path: Field<Int>, _ help: String
    ) -> GatewayOption {
        row(name, "N", "a whole number in \(range.lowerBound)...\(range.upperBound)", help, path) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    static func share(_ name: String, _ path: Field<Double>, _ help: String) -> GatewayOption {
        row(name, "SHARE", "a share such as 1% or 0.01", help, path) { text in
            Quantity.share(text) ?? Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
        }
    }

    static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ path: Field<Choice>, _ help: String
    ) -> GatewayOption where Choice.RawValue == String {
        let names = Choice.allCases.map(\.rawValue)
        return row(name, names.joined(separator: "|"), "one of \(names.joined(separator: ", "))", help, path) { Choice(rawValue: $0) }
    }

    static func text(
        _ name: String, _ placeholder: String, _ path: Field<String?>, _ help: String
    )
        -> GatewayOption
    {
        row(name, placeholder, "a text", help, path) { $0.isEmpty ? nil : .some($0) }
    }

    /// A repeated `KEY=VALUE`; `add` gets both sides of the first `=`.
    static func pairs(
        _ name: String, _ placeholder: String, _ help: String, _ add: @escaping @Sendable (inout GatewayOptions, String, String) -> Void
    ) -> GatewayOption {
        GatewayOption(name: name, kind: .repeated(placeholder: placeholder), help: help) { (text, options) throws(UserFailure) in
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                // The value may hold a token, so it is not quoted.
                throw UserFailure(.arguments, "the value is not \(placeholder)", place: "--\(name)")
            }
            add(&options, String(text[..<equals]), String(text[text.index(after: equals)...]))
        }
    }
}
