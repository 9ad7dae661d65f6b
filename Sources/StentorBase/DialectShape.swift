/// What a profile may say of a dialect: its own options, and what its devices can do.
///
/// The decoder of profiles knows dialects by these only, so that a new dialect changes nothing in it.
public struct DialectShape: Sendable {
    /// One option of a dialect, a key of the profile's section that has the dialect's name.
    public struct Option: Sendable {
        /// What its value is.
        public enum Kind: Sendable, Equatable {
            /// A whole number of a range.
            case integer(ClosedRange<Int>)
            /// `true` or `false`.
            case boolean
            /// A duration of 0 or more.
            case duration
        }

        /// The key, lower case with underscores.
        public let name: String
        /// What its value is.
        public let kind: Kind
        /// The value that holds when the profile names none, as a profile writes it; nil: there is none.
        public let defaultText: String?

        /// Makes an option.
        public init(_ name: String, _ kind: Kind, default defaultText: String? = nil) {
            (self.name, self.kind, self.defaultText) = (name, kind, defaultText)
        }
    }

    /// The sizes that a text can have, as a profile writes them.
    public struct TextSize: Sendable, Equatable {
        /// The smallest, for instance `20B`.
        public let least: String
        /// The largest, for instance `1MiB`.
        public let most: String
        /// What is said of a size beyond them, for instance why there is a smallest one; may be empty.
        public let why: String

        /// Names the sizes.
        public init(_ least: String, _ most: String, why: String = "") {
            (self.least, self.most, self.why) = (least, most, why)
        }

        /// The sizes of dialects that find a reply by its marker.
        public static let marked = TextSize("20B", "1MiB", why: "; the marker that matches replies needs 20B")
    }

    /// Why settings do not fit together.
    public struct Misfit: Error, Equatable, Sendable {
        /// One sentence without a full stop.
        public let message: String
        /// The option at fault; nil: the section as a whole.
        public let option: String?
        /// What would help; may be empty.
        public let hint: String

        /// Makes a misfit.
        public init(_ message: String, option: String? = nil, hint: String = "") {
            (self.message, self.option, self.hint) = (message, option, hint)
        }
    }

    /// The name in profiles and on the command line; also that of its section in a profile.
    public let name: String
    /// Its options, in the order in which a resolved profile shows them; without any there is no section.
    public let options: [Option]
    /// The parts of `behaviour` that its devices have.
    public let behaviours: Set<String>
    /// The sizes that a text can have.
    public let textSize: TextSize
    /// Whether replies can be matched by turns (`correlate: turn`), not by a marker alone.
    public let hasTurns: Bool
    /// Judges settings together, for so many devices; called when each of them is fit.
    public let check: @Sendable (_ settings: DialectSettings, _ devices: Int) throws(Misfit) -> Void

    /// Makes a shape; see the properties.
    public init(
        name: String, options: [Option] = [], behaviours: Set<String>, textSize: TextSize = .marked, hasTurns: Bool = false,
        check: @escaping @Sendable (_ settings: DialectSettings, _ devices: Int) throws(Misfit) -> Void = { _, _ throws(Misfit) in }
    ) {
        (self.name, self.options, self.behaviours) = (name, options, behaviours)
        (self.textSize, self.hasTurns, self.check) = (textSize, hasTurns, check)
    }
}

/// The dialects that a profile can name.
public struct DialectCatalogue: Sendable {
    /// Those that this version speaks; the first is the default.
    public let shapes: [DialectShape]
    /// Names that belong to the format and are not available in this version.
    public let unavailable: [String]

    /// Makes a catalogue.
    public init(_ shapes: [DialectShape] = [], unavailable: [String] = []) {
        (self.shapes, self.unavailable) = (shapes, unavailable)
    }

    /// The shape of a name, if there is one.
    public subscript(name: String) -> DialectShape? {
        shapes.first { $0.name == name }
    }

    /// The names of all shapes.
    public var names: [String] { shapes.map(\.name) }
}

/// The values that a profile gives to the options of its dialect, defaults filled in.
public struct DialectSettings: Sendable, Equatable {
    /// One value.
    public enum Value: Sendable, Equatable {
        /// A whole number.
        case integer(Int)
        /// A truth value.
        case boolean(Bool)
        /// A duration.
        case duration(Duration)
    }

    private var values: [String: Value]

    /// Makes settings of values by the names of their options.
    public init(_ values: [String: Value] = [:]) {
        self.values = values
    }

    /// Sets one value.
    public mutating func set(_ name: String, to value: Value) { values[name] = value }

    /// A whole number; nil when the profile gives none and there is no default.
    public func integer(_ name: String) -> Int? {
        if case .integer(let value) = values[name] { value } else { nil }
    }

    /// A truth value; false when there is none.
    public func boolean(_ name: String) -> Bool { values[name] == .boolean(true) }

    /// A duration; nil when there is none.
    public func duration(_ name: String) -> Duration? {
        if case .duration(let value) = values[name] { value } else { nil }
    }
}
