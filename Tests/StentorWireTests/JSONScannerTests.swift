import Foundation
import StentorBase
import StentorWire
import Testing

/// What a scan reports of a text, in an owned form.
private func members(_ text: String) throws(JSONFailure) -> [String] {
    try members(Array(text.utf8))
}

private func members(_ bytes: [UInt8]) throws(JSONFailure) -> [String] {
    var seen: [String] = []
    var failure: JSONFailure?
    bytes.withUnsafeBytes { buffer in
        do throws(JSONFailure) {
            try JSONScanner.readObject(buffer) { key, value in
                seen.append("\(key.string(in: buffer))=\(shown(value, in: buffer))")
            }
        } catch {
            failure = error
        }
    }
    if let failure { throw failure }
    return seen
}

private func shown(_ value: JSONValue, in bytes: UnsafeRawBufferPointer) -> String {
    switch value {
    case .string(let text): "'\(text.string(in: bytes))'"
    case .integer(let number): "\(number)"
    case .number(let number): "~\(number)"
    case .bool(let truth): "\(truth)"
    case .null: "null"
    case .object(let range), .array(let range): String(decoding: bytes[range], as: UTF8.self)
    }
}

struct JSONScannerTests {
    @Test func `each member is reported once with its value`() throws {
        let text = #" {"a":1,"b":-2.5,"c":"x","d":true,"e":false,"f":null,"g":{"h":[1,{}]},"i":[ ],"a":2} "#
        #expect(
            try members(text) == [
                "a=1", "b=~-2.5", "c='x'", "d=true", "e=false", "f=null", #"g={"h":[1,{}]}"#, "i=[ ]", "a=2",
            ])
    }

    @Test func `every escape of RFC 8259 section 7 is undone`() throws {
        #expect(try members(#"{"k":"\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83D\uDE00"}"#) == ["k='\"\\/\u{8}\u{c}\n\r\tAé€😀'"])
        #expect(try members(#"{"k\u0065y":"a\/b"}"#) == ["key='a/b'"])
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", "~9.223372036854776e+18"), ("1e2", "~100.0"), ("1E+2", "~100.0"), ("12.5e-1", "~1.25"),
        ("0.1", "~0.1"), ("5e-324", "~5e-324"), ("1.7976931348623157e308", "~1.7976931348623157e+308"), ("-0.0", "~-0.0"),
        ("123456789012345678901234567890", "~1.2345678901234568e+29"), ("1e-400", "~0.0"),
    ])
    func `numbers read as the nearest value`(text: String, value: String) throws {
        #expect(try members("{\"n\":\(text)}") == ["n=\(value)"])
    }

    @Test(arguments: [
        ("", JSONFailure.Cause.truncated, 0), ("  ", .truncated, 2), ("[]", .wrongKind, 0), ("1", .wrongKind, 0), ("{", .truncated, 1),
        ("{}x", .trailingBytes, 2), ("{,}", .unexpectedByte, 1), (#"{"a"}"#, .unexpectedByte, 4), (#"{"a":}"#, .unexpectedByte, 5),
        (#"{"a":1,}"#, .unexpectedByte, 7), (#"{"a":1 "b":2}"#, .unexpectedByte, 7), (#"{"a":01}"#, .badNumber, 5),
        (#"{"a":-}"#, .badNumber, 6), (#"{"a":1.}"#, .badNumber, 7), (#"{"a":1e}"#, .badNumber, 7), (#"{"a":.5}"#, .unexpectedByte, 5),
        (#"{"a":+1}"#, .unexpectedByte, 5), (#"{"a":1e999}"#, .badNumber, 5), (#"{"a":tru}"#, .unexpectedByte, 8),
        (#"{"a":"\x"}"#, .badEscape, 6), (#"{"a":"\u12g4"}"#, .badEscape, 6), (#"{"a":"\ud800"}"#, .badEscape, 6),
        (#"{"a":"\udc00"}"#, .badEscape, 6), (#"{"a":"\ud800\u0041"}"#, .badEscape, 6), ("{\"a\":\"\n\"}", .unexpectedByte, 6),
        (#"{"a":[1,]}"#, .unexpectedByte, 8), (#"{"a":{"b":1,}}"#, .unexpectedByte, 12), (#"{"a":[}"#, .unexpectedByte, 6),
        (#"{"a":[1}"#, .unexpectedByte, 7), (#"{"a":"b"#, .truncated, 7), (#"{'a':1}"#, .unexpectedByte, 1),
    ])
    func `a broken text fails at the byte at fault`(text: String, cause: JSONFailure.Cause, offset: Int) {
        #expect(throws: JSONFailure(cause, at: offset)) { try members(text) }
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC1, 0x80], [0xC3], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
        ] as [[UInt8]])
    func `ill-formed UTF-8 of RFC 3629 is refused`(sequence: [UInt8]) {
        let bytes = Array(#"{"a":"plain text "#.utf8) + sequence + Array(#""}"#.utf8)
        #expect(throws: JSONFailure(.badUTF8, at: 17)) { try members(bytes) }
    }

    @Test(arguments: ["\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "Привет, мир"])
    func `well-formed UTF-8 passes`(text: String) throws {
        #expect(try members("{\"\(text)\":\"\(text)\"}") == ["\(text)='\(text)'"])
    }

    @Test func `64 levels pass and 65 do not`() throws {
        func nested(_ levels: Int) -> String {
            "{\"a\":" + String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1) + "}"
        }
        #expect(try members(nested(64)).count == 1)
        #expect(throws: JSONFailure(.tooDeep, at: 68)) { try members(nested(65)) }
        #expect(try members(String(repeating: "{\"a\":", count: 63) + "{}" + String(repeating: "}", count: 63)).count == 1)
    }

    @Test func `a nested object is read in its range only`() throws {
        let bytes = Array(#"{"outer":{"x":1,"y":[2,"three"]},"x":9}"#.utf8)
        var keys: [String] = []
        bytes.withUnsafeBytes { buffer in
            try? JSONScanner.readObject(buffer) { _, value in
                guard case .object(let range) = value else { return }
                try? JSONScanner.readObject(buffer, in: range) { key, inner in
                    keys.append(key.string(in: buffer))
                    guard case .array(let list) = inner else { return }
                    try? JSONScanner.readArray(buffer, in: list) { keys.append(shown($0, in: buffer)) }
                }
            }
        }
        #expect(keys == ["x", "y", "2", "'three'"])
    }

    @Test func `escaped texts compare by their value`() throws {
        let bytes = Array(#"{"\u0074":"a\/b"}"#.utf8)
        var isT = false
        var comparisons: [Bool] = []
        try bytes.withUnsafeBytes { buffer in
            try JSONScanner.readObject(buffer) { key, value in
                isT = key.equals("t", in: buffer)
                guard case .string(let text) = value else { return }
                comparisons = [text.equals("a/b", in: buffer), text.equals("a/", in: buffer), text.equals("a/bc", in: buffer)]
            }
        }
        #expect(isT)
        #expect(comparisons == [true, false, false])
    }

    @Test func `every prefix of a text is truncated, never a trap`() {
        let text = Array(#"{"a":"é\u00e9😀","b":[1.5e3,{"c":null}],"d":true}"#.utf8)
        for count in 0..<text.count {
            #expect(throws: JSONFailure.self) { try members(Array(text[..<count])) }
        }
    }

    @Test func `validity agrees with Foundation for mutated texts`() {
        let seeds = [
            #"{"t":"message","id":"m-1","text":"[#42] Привет \/ \"x\" \u00e9","edit":true,"final":false}"#,
            #"{"a":[1,-2.5e3,null,true,{"b":{}}],"c":"\ud83d\ude00","d":0}"#,
            #"{ "t" : "media" , "part":0, "parts":12, "data":"AAEC\/w==" }"#,
        ].map { Array($0.utf8) }
        var random = SeededRandom(seed: 20)
        let alphabet = Array("{}[]\",:\\u/0123456789eE+-. tfn\n".utf8) + [0x80, 0xC3, 0xFF, 0x00]
        for round in 0..<3000 {
            var bytes = seeds[round % seeds.count]
            for _ in 0...random.integer(in: 0...2) {
                let at = random.integer(in: 0...bytes.count - 1)
                switch random.integer(in: 0...2) {
                case 0: bytes[at] = alphabet[random.integer(in: 0...alphabet.count - 1)]
                case 1: bytes.remove(at: at)
                default: bytes.insert(alphabet[random.integer(in: 0...alphabet.count - 1)], at: at)
                }
            }
            let ours = (try? members(bytes)) != nil
            // Two liberties of Foundation's parser: UTF-16 and UTF-32, which NUL bytes hint at, and a comma before a closing brace.
            let text = String(decoding: bytes, as: UTF8.self)
            guard !bytes.contains(0), text.firstMatch(of: /,\s*\}/) == nil else { continue }
            let theirs = (try? JSONSerialization.jsonObject(with: Data(bytes))) is [String: Any]
            #expect(ours == theirs, "\(text)")
        }
    }
}
