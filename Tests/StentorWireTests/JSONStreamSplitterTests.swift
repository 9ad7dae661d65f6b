import StentorWire
import Testing

/// What came of a message that was fed in pieces.
private struct Split: Equatable {
    var isAccepted = true
    var early: String?
    var diverted = ""
    var head = ""
}

/// Feeds the message cut at the given offsets.
private func split(_ message: String, cuts: [Int] = [], headLimit: Int = 4096) -> Split {
    let bytes = Array(message.utf8)
    var splitter = JSONStreamSplitter(key: "data", headLimit: headLimit)
    var result = Split()
    var diverted: [UInt8] = []
    var early: String?
    let edges = [0] + cuts + [bytes.count]
    for (start, end) in zip(edges, edges.dropFirst()) where result.isAccepted {
        result.isAccepted = Array(bytes[start..<end]).withUnsafeBytes { piece in
            splitter.feed(
                piece, began: { early = String(decoding: $0, as: UTF8.self) }, divert: { diverted.append(contentsOf: $0) })
        }
    }
    result.early = early
    result.diverted = String(decoding: diverted, as: UTF8.self)
    result.head = String(decoding: splitter.finish(), as: UTF8.self)
    return result
}

struct JSONStreamSplitterTests {
    @Test func `the value is diverted and the head keeps the rest`() {
        let result = split(#"{"t":"media","part":0,"data":"AAEC","parts":2}"#)
        #expect(
            result
                == Split(
                    early: #"{"t":"media","part":0,"data":""}"#, diverted: "AAEC", head: #"{"t":"media","part":0,"data":"","parts":2}"#))
    }

    @Test(arguments: [
        #"{"t":"media","data":"AB\/CD\/+=","x":{"data":"no","y":["data"]},"z":"data"}"#,
        #" { "d\u0061ta" : "x\n\u00e9\ud83d\ude00\\" , "n" : [ 1 , 2 ] } "#,
        #"{"data":"","t":"\"data\":\"x\""}"#,
        #"{"x":{"data":"inner"},"data":"outer\"q"}"#,
    ])
    func `any split of a message gives the same`(message: String) {
        let whole = split(message)
        #expect(whole.isAccepted)
        #expect(whole.early != nil)
        let count = message.utf8.count
        for first in 1..<count {
            #expect(split(message, cuts: [first]) == whole)
            #expect(split(message, cuts: Array(first..<count)) == whole)
        }
    }

    @Test func `escapes of the value are undone`() {
        #expect(split(#"{"data":"AB\/CD\/+\u003d\"\\"}"#).diverted == "AB/CD/+=\"\\")
        #expect(split(#"{"data":"\u00e9\ud83d\ude00\n"}"#).diverted == "é😀\n")
    }

    @Test func `only a string of the top level is diverted`() {
        let nested = #"{"x":{"data":"a"},"y":[{"data":"b"}],"z":"data"}"#
        #expect(split(nested) == Split(head: nested))
        let second = #"{"x":{"a":1,"data":"b"},"y":[{"a":1,"data":"b"}]}"#
        #expect(split(second) == Split(head: second))
        let number = #"{"data":12,"t":"x"}"#
        #expect(split(number) == Split(head: number))
        let object = #"{"data":{"data":"x"}}"#
        #expect(split(object) == Split(head: object))
        let list = #"{"data":["x"],"t":"data"}"#
        #expect(split(list) == Split(head: list))
    }

    @Test func `blanks between tokens do not join them`() {
        #expect(split("{\"a\":1  2}").head == "{\"a\":1 2}")
    }

    @Test(arguments: [
        "[1]", "x", #"{"data":"a","data":"b"}"#, #"{"data":"\x"}"#, #"{"data":"\ud800x"}"#, #"{"data":"\udc00"}"#, #"{"data":"\u00g0"}"#,
        "{\"data\":\"a\nb\"}", "{\"a\":\"\n\"}", "{}{", String(repeating: "{\"a\":", count: 65),
    ])
    func `a message that can be no object is refused`(message: String) {
        #expect(!split(message).isAccepted)
        #expect(split(message).head == "")
    }

    @Test func `a head over its limit is refused, a long value is not`() {
        #expect(!split(#"{"text":"0123456789"}"#, headLimit: 16).isAccepted)
        #expect(split("{\"data\":\"" + String(repeating: "A", count: 100_000) + "\"}", headLimit: 16).diverted.utf8.count == 100_000)
    }

    @Test(arguments: [#"{"data":"AA"#, #"{"data":"AA""#, #"{"t":"#, "", "{"])
    func `a message that is cut short has no head`(message: String) {
        #expect(split(message).isAccepted)
        #expect(split(message).head == "")
    }
}
