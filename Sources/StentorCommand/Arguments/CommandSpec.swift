/// One command: a row of the command table.
public struct CommandSpec: Sendable {
    /// An example for help texts.
    public struct Example: Sendable, Equatable {
        /// What to type after `stentor `.
        public let arguments: String
        /// What it does, in one line without a full stop.
        public let meaning: String

        /// Makes an example.
        public init(_ arguments: String, _ meaning: String) {
            self.arguments = arguments
            self.meaning = meaning
        }
    }

    /// The word that selects it; two words for a command of a group.
    public let name: String
    /// What stands for its one operand in help texts, for instance `PROFILE`; nil: it takes none.
    public let operand: String?
    /// Whether it takes any number of operands, also none.
    public let takesMany: Bool
    /// What it does, in one line for the list of commands.
    public let summary: String
    /// What it does, in full, for its own help; one or more sentences.
    public let discussion: String
    /// Its options, in the order of its help; `--help` is understood without a row.
    public let options: [OptionSpec]
    /// What one would type.
    public let examples: [Example]
    /// Makes the command of arguments that have passed every check.
    public let make: @Sendable (CommandArguments) -> ParsedCommand

    /// Makes a row.
    public init(
        _ name: String, operand: String? = nil, takesMany: Bool = false, summary: String, discussion: String, options: [OptionSpec],
        examples: [Example],
        make: @escaping @Sendable (CommandArguments) -> ParsedCommand
    ) {
        self.name = name
        self.operand = operand
        self.takesMany = takesMany
        self.summary = summary
        self.discussion = discussion
        self.options = options
        self.examples = examples
        self.make = make
    }

    /// The usage line without `stentor `, for instance `run PROFILE [OPTION ...]`.
    public var usage: String {
        [name, operand, "[OPTION ...]"].compactMap(\.self).joined(separator: " ")
    }

    func option(_ name: String) -> OptionSpec? {
        options.first { $0.name == name }
    }
}

/// The arguments of one command, each of them checked against its row.
public struct CommandArguments: Sendable, Equatable {
    /// An option as it was given.
    public struct Given: Sendable, Equatable {
        /// How it is written, with both dashes.
        public let name: String
        /// Its value; nil for a switch.
        public let value: String?

        /// Notes an option.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The operand; empty for a command that takes none.
    public internal(set) var operand = ""
    /// All operands of a command that takes any number.
    public internal(set) var operands: [String] = []
    /// The options in the order in which they were given.
    public internal(set) var options: [Given] = []

    /// The value of an option that may be given once; nil when it was not given.
    public func value(_ name: String) -> String? {
        options.first { $0.name == name }?.value
    }

    /// All values of a repeatable option, in order.
    public func values(_ name: String) -> [String] {
        options.filter { $0.name == name }.compactMap(\.value)
    }

    /// Whether an option was given.
    public func has(_ name: String) -> Bool {
        options.contains { $0.name == name }
    }
}
