import Foundation
import StentorBase
import StentorDialect
import Testing

@testable import StentorProfile

/// Faults of the YAML itself.
struct YAMLFaultTests {
    @Test(arguments: [
        FaultCase(
            "a: &x 1",
            [
                "p.yaml:8:1: unknown key 'a' (known here: \(rootKeys))",
                "p.yaml:8:4: anchors are not supported (quote a value that begins with '&')",
            ]),
        FaultCase(
            "a: *x",
            [
                "p.yaml:8:1: unknown key 'a' (known here: \(rootKeys))",
                "p.yaml:8:4: aliases are not supported (write the value out; quote a value that begins with '*')",
            ]),
        FaultCase(
            "output: {dir: !!str runs}",
            [
                "p.yaml:8:15: tags are not supported (quote a value that begins with '!')"
            ]),
        FaultCase(
            "output: {dir: ! runs}",
            [
                "p.yaml:8:15: tags are not supported (quote a value that begins with '!')"
            ]),
        FaultCase(
            "? [a]\n: 1",
            [
                "p.yaml:8:3: a key must be a single word, not a list"
            ]),
        FaultCase(
            "---\na: 1",
            [
                "p.yaml:8:1: a profile is one document; a second one begins here (remove the line '---')"
            ]),
        FaultCase(
            "\ta: 1",
            [
                "p.yaml:8:1: invalid YAML: found character that cannot start any token (quote a value that begins with a "
                    + "special character; indent with blanks, never with tabs)"
            ]),
        FaultCase(
            "a: [1",
            [
                "p.yaml:9:1: invalid YAML: did not find expected ',' or ']' (while parsing a flow sequence that begins in "
                    + "line 8)"
            ]),
        FaultCase(
            "a: b: c",
            [
                "p.yaml:8:5: invalid YAML: mapping values are not allowed in this context (quote a value that holds ': ')"
            ]),
        FaultCase(
            "a: @x",
            [
                "p.yaml:8:4: invalid YAML: found character that cannot start any token (quote a value that begins with a "
                    + "special character; indent with blanks, never with tabs)"
            ]),
    ])
    func `what a profile has no use for is refused`(_ example: FaultCase) {
        #expect(faults(profileText(example.text)) == example.faults)
    }

    @Test(arguments: [
        FaultCase("", ["p.yaml:1:1: the profile is empty"]),
        FaultCase("# nothing", ["p.yaml:1:1: the profile is empty"]),
        FaultCase("- a", ["p.yaml:1:1: expected a mapping of keys, found a list (known here: \(rootKeys))"]),
        FaultCase("word", ["p.yaml:1:1: expected a mapping of keys, found a single value (known here: \(rootKeys))"]),
        FaultCase("a: " + String(repeating: "[", count: 40), ["p.yaml:1:35: nested deeper than 32 levels"]),
        FaultCase("a: [" + String(repeating: "1,", count: 1001) + "]", ["p.yaml:1:2005: more than 1000 entries"]),
        FaultCase(String(repeating: "#\n", count: 524_289), ["p.yaml:1:1: the profile is larger than 1 MiB"]),
        FaultCase("a: \"x\u{1}\"", ["p.yaml:1:6: invalid YAML: control characters are not allowed"]),
    ])
    func `a text that is no mapping, or too large, is refused as a whole`(_ example: FaultCase) {
        #expect(faults(example.text) == example.faults)
    }

    @Test func `bytes that are not UTF-8 are refused with their line`() {
        let bytes = Array("version: 1\nname: ".utf8) + [0xC3, 0x28]
        #expect(throws: UserFailures([UserFailure(.profile, "the profile is not UTF-8", place: "p.yaml:2:1")])) {
            _ = try Profile.decode(bytes, file: "p.yaml", options: DecodingOptions(dialects: Dialect.catalogue))
        }
    }

    @Test func `a byte order mark counts as no column`() {
        #expect(faults("\u{FEFF}" + profileText(version: "version: 2")).first?.hasPrefix("p.yaml:1:10: ") == true)
    }

    @Test func `a file of faults ends after a hundred`() {
        let found = faults((0..<900).map { "k\($0): 1\n" }.joined())
        #expect(found.count == 101)
        #expect(found.last == "p.yaml: 805 more faults are not shown")
    }

    @Test func `no text makes the decoder trap, and each fault has a place`() throws {
        let text = Array(try String(contentsOf: shippedProfiles.appending(path: "smoke.yaml"), encoding: .utf8).utf8)
        let spice = Array("{}[]:,#&*!|>'\"%@`-?\t\n 0123456789.$".utf8)
        var random = SeededRandom(seed: 1)
        for _ in 0..<1500 {
            var bytes = text
            for _ in 0...random.integer(in: 0...3) {
                let at = random.integer(in: 0...bytes.count - 1)
                switch random.integer(in: 0...2) {
                case 0: bytes[at] = spice[random.integer(in: 0...spice.count - 1)]
                case 1: bytes.remove(at: at)
                default: bytes.insert(spice[random.integer(in: 0...spice.count - 1)], at: at)
                }
            }
            do throws(UserFailures) {
                _ = try Profile.decode(bytes, file: "p.yaml", options: DecodingOptions(dialects: Dialect.catalogue))
            } catch {
                #expect(error.all.allSatisfy { $0.place.hasPrefix("p.yaml:") && $0.cause == .profile })
            }
        }
    }
}
