/// One option of a command: a row of the command table.
public struct OptionSpec: Sendable, Equatable {
    /// How it is written, with both dashes.
    public let name: String
    /// What its value must look like; nil: it is a switch and takes none.
    public let shape: ValueShape?
    /// What stands for the value in help texts, for instance `URL`; empty for a switch.
    public let placeholder: String
    /// Whether it may be given more than once.
    public let isRepeatable: Bool
    /// What it does, for help texts: one or two sentences with a full stop.
    public let help: String

    /// Makes an option that takes a value.
    ///
    /// - Parameters:
    ///   - name: How it is written, with both dashes.
    ///   - placeholder: What stands for the value in help texts, for instance `URL`.
    ///   - shape: What the value must look like.
    ///   - isRepeatable: Whether it may be given more than once. Default false.
    ///   - help: What it does.
    public init(_ name: String, _ placeholder: String, _ shape: ValueShape, isRepeatable: Bool = false, help: String) {
        self.name = name
        self.shape = shape
        self.placeholder = placeholder
        self.isRepeatable = isRepeatable
        self.help = help
    }

    /// Makes a switch: an option without a value.
    public init(switch name: String, help: String) {
        self.name = name
        self.help = help
        shape = nil
        placeholder = ""
        isRepeatable = false
    }

    /// The option as usage lines show it, for instance `--out DIR`.
    public var usage: String {
        shape == nil ? name : "\(name) \(placeholder)"
    }
}
