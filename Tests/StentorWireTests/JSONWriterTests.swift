import Foundation
import StentorWire
import Testing

struct JSONWriterTests {
    @Test func `commas and brackets are set`() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("a")
        writer.integer(-12)
        writer.key("b")
        writer.beginArray()
        writer.bool(true)
        writer.null()
        writer.beginObject()
        writer.endObject()
        writer.number(0.5)
        writer.endArray()
        writer.key("c")
        writer.string("x/y")
        writer.endObject()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":-12,"b":[true,null,{},0.5],"c":"x/y"}"#)
    }

    @Test func `quotes, backslashes and controls are escaped`() {
        var writer = JSONWriter()
        writer.string("a\"b\\c\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}é😀 and a run of plain characters")
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #""a\"b\\c\b\f\n\r\t\u0000\u001f"# + "\u{7f}é😀 and a run of plain characters\"")
    }

    @Test(arguments: [0, 1, -1, 10, 1234567890, Int64.max, Int64.min])
    func `whole numbers are written in full`(value: Int64) {
        var writer = JSONWriter()
        writer.integer(value)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == String(value))
    }

    @Test func `numbers that JSON lacks are null`() {
        var writer = JSONWriter()
        writer.beginArray()
        for value in [Double.nan, .infinity, -.infinity, 1e300] { writer.number(value) }
        writer.endArray()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[null,null,null,1e+300]")
    }

    @Test func `a reset writer starts anew`() {
        var writer = JSONWriter()
        writer.string("x")
        writer.reset()
        writer.integer(1)
        #expect(writer.bytes == [0x31])
    }

    @Test func `what is written, Foundation reads back`() throws {
        let texts = ["", "\u{0}\u{1}\u{1f}", "\\\"/", "Привет\n", "\u{2028}\u{FFFF}\u{10FFFF}", String(repeating: "ab\"", count: 99)]
        for text in texts {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key(text)
            writer.string(text)
            writer.endObject()
            let object = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: String]
            #expect(object == [text: text])
        }
    }
}
