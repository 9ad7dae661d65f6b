import StentorBase
import Testing

@testable import StentorWire

struct WebSocketFramesTests {
    private static let hello = Array("Hello".utf8)

    @Test func `frames are encoded as in RFC 6455 section 5.7`() {
        let key: UInt32 = 0x37FA_213D
        #expect(WebSocketFrames.frame(.text, payload: Self.hello, maskKey: nil) == hex("81 05 48 65 6c 6c 6f"))
        #expect(WebSocketFrames.frame(.text, payload: Self.hello, maskKey: key) == hex("81 85 37 fa 21 3d 7f 9f 4d 51 58"))
        #expect(WebSocketFrames.frame(.text, isFinal: false, payload: Array("Hel".utf8), maskKey: nil) == hex("01 03 48 65 6c"))
        #expect(WebSocketFrames.frame(.continuation, payload: Array("lo".utf8), maskKey: nil) == hex("80 02 6c 6f"))
        #expect(WebSocketFrames.frame(.ping, payload: Self.hello, maskKey: nil) == hex("89 05 48 65 6c 6c 6f"))
        #expect(WebSocketFrames.frame(.pong, payload: Self.hello, maskKey: key) == hex("8a 85 37 fa 21 3d 7f 9f 4d 51 58"))
        let long = [UInt8](repeating: 7, count: 256)
        #expect(WebSocketFrames.frame(.binary, payload: long, maskKey: nil) == hex("82 7E 01 00") + long)
        let longer = [UInt8](repeating: 7, count: 65_536)
        #expect(WebSocketFrames.frame(.binary, payload: longer, maskKey: nil) == hex("82 7F 00 00 00 00 00 01 00 00") + longer)
    }

    @Test(arguments: [
        (0, "82 00"), (125, "82 7D"), (126, "82 7E 00 7E"), (65_535, "82 7E FF FF"), (65_536, "82 7F 00 00 00 00 00 01 00 00"),
        (0x1234_5678_9ABC, "82 7F 00 00 12 34 56 78 9A BC"),
    ])
    func `a length takes its shortest form`(payloadBytes: Int, header: String) {
        var room = [UInt8](repeating: 0xEE, count: 14)
        let plain = room.withUnsafeMutableBytes {
            WebSocketFrames.writeHeader(.binary, payloadBytes: payloadBytes, maskKey: nil, into: $0)
        }
        #expect(Array(room[..<plain]) == hex(header))
        #expect(plain == WebSocketFrames.headerBytes(payloadBytes: payloadBytes, isMasked: false))
        let masked = room.withUnsafeMutableBytes {
            WebSocketFrames.writeHeader(.binary, payloadBytes: payloadBytes, maskKey: 0x0102_0304, into: $0)
        }
        var expected = hex(header) + [1, 2, 3, 4]
        expected[1] |= 0x80
        #expect(Array(room[..<masked]) == expected)
        #expect(masked == WebSocketFrames.headerBytes(payloadBytes: payloadBytes, isMasked: true))
    }

    @Test func `masking equals the definition at every phase, alignment and length`() {
        let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        var random = SeededRandom(seed: 2)
        let source = (0..<120).map { _ in UInt8.random(in: 0...255, using: &random) }
        for phase in 0..<5 {
            for start in 0..<9 {
                for count in 0...(source.count - start) where count < 20 || count % 7 == 0 {
                    let piece = Array(source[start..<(start + count)])
                    let expected = piece.enumerated().map { $1 ^ key[($0 + phase) % 4] }
                    var apart = [UInt8](repeating: 0, count: count + 1)
                    var inPlace = source
                    apart.withUnsafeMutableBytes { target in
                        piece.withUnsafeBytes { WebSocketFrames.mask($0, into: target, key: 0x37FA_213D, phase: phase) }
                    }
                    inPlace.withUnsafeMutableBytes { all in
                        let part = UnsafeMutableRawBufferPointer(rebasing: all[start..<(start + count)])
                        WebSocketFrames.mask(UnsafeRawBufferPointer(part), into: part, key: 0x37FA_213D, phase: phase)
                    }
                    guard apart == expected + [0], inPlace == source[..<start] + expected + source[(start + count)...] else {
                        Issue.record("phase \(phase), start \(start), count \(count)")
                        return
                    }
                }
            }
        }
    }

    @Test func `a close payload holds code and reason`() {
        #expect(WebSocketFrames.closePayload(code: nil, reason: "ignored") == [])
        #expect(WebSocketFrames.closePayload(code: 1000, reason: "") == hex("03 E8"))
        #expect(WebSocketFrames.closePayload(code: 1001, reason: "bye") == hex("03 E9 62 79 65"))
    }

    @Test func `a close reason is cut at a character's border`() {
        let exact = String(repeating: "x", count: 123)
        #expect(WebSocketFrames.closePayload(code: 1000, reason: exact + "y") == hex("03 E8") + Array(exact.utf8))
        let wide = String(repeating: "x", count: 122) + "€"
        #expect(WebSocketFrames.closePayload(code: 1000, reason: wide).count == 124)
    }
}
