import Foundation
import StentorCommand
import TestSupport
import Testing

private func traits(isTerminal: Bool = true, size: (Int, Int)? = (120, 40), _ environment: [String: String] = [:]) -> ConsoleTraits {
    ConsoleTraits(isTerminal: isTerminal, size: size.map { (columns: $0.0, rows: $0.1) }, environment: { environment[$0] })
}

@Suite struct `A console` {
    @Test func `uses colours on a terminal only`() {
        #expect(traits().hasColours)
        #expect(!traits(isTerminal: false).hasColours)
    }

    @Test func `respects NO_COLOR, but not an empty one`() {
        #expect(!traits(["NO_COLOR": "1"]).hasColours)
        #expect(traits(["NO_COLOR": "1"]).isTerminal)
        #expect(traits(["NO_COLOR": ""]).hasColours)
    }

    @Test func `takes a dumb terminal for none`() {
        #expect(!traits(["TERM": "dumb"]).isTerminal)
        #expect(!traits(["TERM": "dumb"]).hasColours)
    }

    @Test func `takes its size from the terminal, then from variables, then 80 by 24`() {
        #expect(traits(["COLUMNS": "99"]).columns == 120)
        #expect(traits(size: nil, ["COLUMNS": "99", "LINES": "33"]).columns == 99)
        #expect(traits(size: (0, 0), ["COLUMNS": "99", "LINES": "33"]).rows == 33)
        #expect(traits(size: nil, ["COLUMNS": "wide", "LINES": "-1"]).columns == 80)
        #expect(traits(size: nil, ["COLUMNS": "wide", "LINES": "-1"]).rows == 24)
    }

    @Test func `writes results and reports to their own streams`() throws {
        let directory = try FreshDirectory()
        let output = open(directory.path("out"), O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        let errors = open(directory.path("err"), O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        defer {
            close(output)
            close(errors)
        }
        let console = Console(output: output, errors: errors)
        let long = String(repeating: "é\n", count: 100_000)
        #expect(console.write(long))
        console.report("stentor: no\n")
        #expect(try directory.read("out") == long)
        #expect(try directory.read("err") == "stentor: no\n")
        #expect(!console.outputTraits.isTerminal)
        #expect(!console.errorTraits.isTerminal)
    }

    @Test func `says when a result is lost`() {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        #expect(!Console(output: full, errors: full).write("result\n"))
        #expect(Console(output: full, errors: full).write(""))
    }
}

@Suite struct `Text for a terminal` {
    @Test(arguments: [
        ("plain", "plain"), ("a\u{1B}[31mb", "a[31mb"), ("tab\tnew\r\nline", "tabnewline"), ("del\u{7F}c1\u{9B}", "delc1"),
        ("bidi\u{202E}\u{2066}", "bidi"), ("zero\u{200B}width\u{FEFF}", "zerowidth"), ("line\u{2028}\u{2029}", "line"),
        ("privé 漢字 🙂", "privé 漢字 🙂"),
    ])
    func `holds nothing that a terminal obeys`(text: String, expected: String) {
        #expect(TerminalText.clean(text) == expected)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""), ("漢字漢字", 8, "漢字漢字"), ("漢字漢字", 7, "漢字漢…"),
        ("漢字漢字", 6, "漢字…"), ("🙂🙂", 3, "🙂…"),
    ])
    func `is cut to columns`(text: String, columns: Int, expected: String) {
        #expect(TerminalText.fitted(text, columns: columns) == expected)
    }

    @Test(arguments: [("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("한", 2), ("🙂", 2), ("❤️", 2), ("…", 1)])
    func `is measured in columns`(text: String, columns: Int) {
        #expect(TerminalText.width(of: text) == columns)
    }
}
