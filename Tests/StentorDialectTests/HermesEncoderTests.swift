import Foundation
import StentorBase
import StentorDialect
import Testing

private func json(_ bytes: [UInt8]) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary)
}

struct HermesEncoderTests {
    @Test func `hello repeats the token and describes the device`() throws {
        var encoder = HermesEncoder()
        encoder.hello(token: Secret("s\"3"), device: HermesDevice(id: "d-1", name: "Phone 1", platform: "ios", appVersion: "1.4.0"))
        #expect(
            String(decoding: encoder.bytes, as: UTF8.self)
                == #"{"t":"hello","v":1,"token":"s\"3","device":{"id":"d-1","name":"Phone 1","platform":"ios","app_version":"1.4.0"},"user":{}}"#
        )
    }

    @Test func `a text carries its id, and the encoder is used again`() {
        var encoder = HermesEncoder()
        encoder.text(id: "long-before", text: String(repeating: "x", count: 99))
        encoder.text(id: "u", text: "[#1] \"hi\"\n")
        #expect(String(decoding: encoder.bytes, as: UTF8.self) == #"{"t":"text","id":"u","text":"[#1] \"hi\"\n"}"#)
    }

    @Test func `an answer's option goes out in lower case`() {
        var encoder = HermesEncoder()
        encoder.promptAnswer(promptID: "P1", PromptResponse(optionID: "OTHER", text: "Why"))
        #expect(String(decoding: encoder.bytes, as: UTF8.self) == #"{"t":"prompt","prompt_id":"P1","option_id":"other","text":"Why"}"#)
        encoder.promptAnswer(promptID: "P1", PromptResponse(optionID: nil, text: "free"))
        #expect(String(decoding: encoder.bytes, as: UTF8.self) == #"{"t":"prompt","prompt_id":"P1","text":"free"}"#)
    }

    @Test func `a part is prefix, payload and suffix`() throws {
        var encoder = HermesEncoder()
        let upload = HermesUpload(id: "u", mime: "image/jpeg", filename: "a.jpg", caption: "c")
        encoder.beginMedia(upload, part: 1, parts: 3)
        #expect(String(decoding: encoder.bytes.suffix(9), as: UTF8.self) == #","data":""#)
        #expect(
            try json(encoder.bytes + Array("AAEC".utf8) + HermesEncoder.payloadSuffix) == [
                "t": "media", "id": "u", "kind": "image", "mime": "image/jpeg", "part": 1, "parts": 3, "filename": "a.jpg", "caption": "c",
                "data": "AAEC",
            ])
    }

    @Test func `a sound is one frame`() throws {
        var encoder = HermesEncoder()
        encoder.beginAudio(id: "s", format: "wav", transcript: "hi")
        #expect(
            try json(encoder.bytes + HermesEncoder.payloadSuffix) == ["t": "audio", "id": "s", "format": "wav", "text": "hi", "data": ""])
    }

    @Test(arguments: [(0, 1), (1, 1), (3_145_728, 1), (3_145_729, 2), (9_437_184, 3), (9_437_185, 4)])
    func `a file has as many parts as the protocol says`(bytes: Int, parts: Int) {
        #expect(HermesEncoder.partCount(fileBytes: bytes) == parts)
        let ranges = (0..<parts).map { HermesEncoder.partRange($0, fileBytes: bytes) }
        #expect(ranges.map(\.count).reduce(0, +) == bytes)
        #expect(ranges.dropLast().allSatisfy { $0.count == 3_145_728 })
    }
}
