import StentorBase

/// What a command line comes to.
public enum CommandLineReading: Sendable, Equatable {
    /// A command to carry out.
    case command(ParsedCommand)
    /// A text that was asked for (`--help`, `--version`); goes to stdout, exit code 0.
    case text(String)
    /// All that is wrong; goes to stderr, exit code 64.
    case failures(UserFailures)
}

extension CommandTable {
    /// Reads a command line; prints nothing and changes nothing.
    ///
    /// `--help` wins over any fault. `--opt value` and `--opt=value` mean the same; a value that begins with `--` needs the second
    /// form. After `--` nothing is an option.
    ///
    /// - Parameter arguments: The command line without the program's name.
    public func read(_ arguments: [String]) -> CommandLineReading {
        guard let first = arguments.first else {
            return .failures(UserFailures([UserFailure(.arguments, "no command given", hint: "'stentor --help' lists the commands")]))
        }
        switch first {
        case "--help", "-h": return .text(helpText)
        case "--version": return .text("stentor \(version)\n")
        case let name:
            let rest = Array(arguments.dropFirst())
            if let group = groups.first(where: { $0.name == name }) { return read(rest, of: group) }
            guard let command = command(name), group(of: command) == nil else { return .failures(UserFailures([unknownFirst(name)])) }
            return read(rest, for: command)
        }
    }

    private func read(_ arguments: [String], of group: CommandGroup) -> CommandLineReading {
        let members = commands(of: group)
        guard let second = arguments.first, !second.hasPrefix("-") || ["--help", "-h"].contains(second) else {
            return read(arguments, for: members[0])
        }
        if second.hasPrefix("-") { return .text(helpText(of: group)) }
        let name = "\(group.name) \(second)"
        guard let command = members.first(where: { $0.name == name }) else {
            let words = members.map { String($0.name.dropFirst(group.name.count + 1)) }
            let hint = Suggestion.hint(for: second, among: words)
            return .failures(
                UserFailures([UserFailure(.arguments, "unknown command", place: TerminalText.clean(name, limit: 60), hint: hint)]))
        }
        return read(Array(arguments.dropFirst()), for: command)
    }

    private func read(_ arguments: [String], for command: CommandSpec) -> CommandLineReading {
        if arguments.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            return .text(command.helpText)
        }
        var reader = ArgumentReader(command: command)
        reader.read(arguments)
        guard reader.faults.isEmpty else { return .failures(UserFailures(reader.faults)) }
        return .command(command.make(reader.result))
    }

    private func unknownFirst(_ argument: String) -> UserFailure {
        let place = TerminalText.clean(argument, limit: 60)
        guard argument.hasPrefix("-") else {
            let words = commands.filter { group(of: $0) == nil }.map(\.name) + groups.map(\.name)
            return UserFailure(.arguments, "unknown command", place: place, hint: Suggestion.hint(for: argument, among: words))
        }
        let name = String(argument.prefix { $0 != "=" })
        if let owner = commands.first(where: { $0.option(name) != nil }) {
            return UserFailure(.arguments, "options follow the command", place: name, hint: "stentor \(owner.name) … \(name)")
        }
        let near = Suggestion.nearest(to: name, among: ["--help", "--version"]).map { "did you mean '\($0)'?" }
        return UserFailure(
            .arguments, "unknown option", place: TerminalText.clean(name, limit: 60), hint: near ?? "'stentor --help' lists the commands")
    }
}

/// Walks the arguments behind a command's name and collects every fault.
private struct ArgumentReader {
    let command: CommandSpec
    var result = CommandArguments()
    var faults: [UserFailure] = []
    private var operands: [String] = []
    /// False once an unknown option may have left its value among the operands; it could even be a secret.
    private var knowsOperands = true

    init(command: CommandSpec) {
        self.command = command
    }

    mutating func read(_ arguments: [String]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                break
            }
            if argument.hasPrefix("-"), argument != "-" {
                readOption(argument, &rest)
            } else {
                operands.append(argument)
            }
        }
        checkOperands()
    }

    private mutating func readOption(_ argument: String, _ rest: inout ArraySlice<String>) {
        let name = String(argument.prefix { $0 != "=" })
        let attached = name == argument ? nil : String(argument.dropFirst(name.count + 1))
        guard let option = command.option(name) else {
            readUnknown(name, hasValue: attached != nil, &rest)
            return
        }
        if !option.isRepeatable, result.has(name) { fault("given more than once", name) }
        guard let shape = option.shape else {
            if attached != nil { fault("takes no value", name) }
            result.options.append(.init(name: name, value: nil))
            return
        }
        var value = attached
        if value == nil, let next = rest.first, !next.hasPrefix("--") { value = rest.popFirst() }
        guard let value else {
            fault(
                "needs a value", name,
                hint: rest.isEmpty ? "write \(option.usage)" : "write \(option.usage), or \(name)=… if it begins with --")
            return
        }
        if let message = shape.fault(in: value) {
            fault(message, name, hint: shape.suggestion(for: value))
        } else if let key = shape.key(of: value), result.values(name).contains(where: { shape.key(of: $0) == key }) {
            fault("'\(TerminalText.clean(key, limit: 60))' is given twice", name)
        }
        result.options.append(.init(name: name, value: value))
    }

    private mutating func readUnknown(_ name: String, hasValue: Bool, _ rest: inout ArraySlice<String>) {
        let near = Suggestion.nearest(to: name, among: command.options.map(\.name) + ["--help"])
        fault("unknown option", name, hint: near.map { "did you mean '\($0)'?" } ?? "'stentor \(command.name) --help' lists the options")
        if let meant = near.flatMap(command.option) {
            if meant.shape != nil, !hasValue, rest.first?.hasPrefix("--") == false { rest.removeFirst() }
        } else {
            knowsOperands = false
        }
    }

    private mutating func checkOperands() {
        result.operand = operands.first ?? ""
        result.operands = operands
        guard !command.takesMany else { return }
        let expected = command.operand == nil ? 0 : 1
        for surplus in operands.dropFirst(expected) where knowsOperands {
            fault("unexpected argument", surplus, hint: "stentor \(command.usage)")
        }
        if let operand = command.operand, result.operand.isEmpty {
            fault("\(operand) is missing", command.name, hint: "stentor \(command.usage)")
        }
    }

    private mutating func fault(_ message: String, _ place: String, hint: String = "") {
        faults.append(UserFailure(.arguments, message, place: TerminalText.clean(place, limit: 60), hint: hint))
    }
}

extension ValueShape {
    /// A hint for a misspelt word; empty when there is none.
    fileprivate func suggestion(for value: String) -> String {
        guard case .choice(let words) = self else { return "" }
        return Suggestion.nearest(to: value, among: words).map { "did you mean '\($0)'?" } ?? ""
    }
}
