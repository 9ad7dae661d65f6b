import StentorBase

/// Lays out help texts: at most 100 columns, one column of names and one of meanings.
enum HelpText {
    static let columns = 100
    /// Where meanings begin; a longer name has its meaning on the next line.
    private static let meaningColumn = 26

    /// A line of a name and its meaning, wrapped.
    static func row(_ name: String, _ meaning: String) -> String {
        let lines = wrapped(meaning, columns: columns - meaningColumn)
        let indent = String(repeating: " ", count: meaningColumn)
        let head = "  " + name
        guard head.count + 2 <= meaningColumn else {
            return head + "\n" + lines.map { indent + $0 + "\n" }.joined()
        }
        let gap = String(repeating: " ", count: meaningColumn - head.count)
        return head + gap + lines.joined(separator: "\n" + indent) + "\n"
    }

    /// A paragraph, wrapped, with a newline at its end.
    static func paragraph(_ text: String) -> String {
        wrapped(text, columns: columns).joined(separator: "\n") + "\n"
    }

    /// The exit codes, from the one list.
    static var exitCodes: String {
        "\nExit codes:\n"
            + ExitCode.allCases.map { code in
                let number = String(code.rawValue)
                return "  " + String(repeating: " ", count: 3 - number.count) + number + "  " + code.meaning + "\n"
            }.joined()
    }

    /// Words in lines of at most `columns`; a longer word has a line of its own.
    static func wrapped(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > columns {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}

extension CommandTable {
    /// What `stentor --help` prints.
    public var helpText: String {
        var text = "Load and soak tester for device gateways.\n\nUsage: stentor COMMAND [OPTION ...]\n\nCommands:\n"
        for command in commands where group(of: command) == nil { text += command.helpRow }
        for group in groups { text += HelpText.row("\(group.name) COMMAND", group.summary) }
        text += "\nOptions:\n"
        text += HelpText.row("--help", "Prints this text; behind a command, that command's help with examples.")
        text += HelpText.row("--version", "Prints the version.")
        return text + HelpText.exitCodes
    }

    /// What `stentor GROUP --help` prints.
    func helpText(of group: CommandGroup) -> String {
        let members = commands(of: group)
        var text = "Usage: stentor \(group.name) COMMAND [OPTION ...]\n\n" + HelpText.paragraph(group.summary) + "\nCommands:\n"
        for command in members { text += command.helpRow }
        text += "\nOptions:\n"
        text += HelpText.row("--help", "Prints this text; behind a command, that command's help with examples.")
        text += "\nWithout a command: \(members[0].name).\n"
        return text + HelpText.exitCodes
    }
}

extension CommandSpec {
    /// Its line in a list of commands.
    fileprivate var helpRow: String {
        HelpText.row([name, operand].compactMap(\.self).joined(separator: " "), summary)
    }

    /// What `stentor COMMAND --help` prints.
    public var helpText: String {
        var text = "Usage: stentor \(usage)\n\n" + HelpText.paragraph(discussion) + "\nOptions:\n"
        for option in options { text += HelpText.row(option.usage, option.fullHelp) }
        text += HelpText.row("--help", "Prints this text.")
        text += "\nExamples:\n"
        for example in examples { text += "  stentor \(example.arguments)\n      \(example.meaning)\n" }
        return text + HelpText.exitCodes
    }
}

extension OptionSpec {
    /// The help with the words that may be chosen.
    fileprivate var fullHelp: String {
        guard case .choice(let words) = shape, words.count > 1 else { return help }
        return "\(help) One of \(words.joined(separator: ", "))."
    }
}
