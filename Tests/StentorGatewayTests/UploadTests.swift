import StentorBase
import StentorWire
import Testing

@testable import StentorGateway

struct UploadTests {
    private static let part = 3 << 20
    /// Digests of other software (`sha256sum`).
    private static let digests = [
        "abcdefghi": "19cc02f26df43cc571bc9ed7b0c4d29224a3ec229529221725ef76d021c8326f",
        "abcdef": "bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721",
        "defabc": "2e52528c8e9ff9c4e3a08e48974d3b3eb424212ff15e11e88567f72098fd2b13",
        "zeros": "22c2e759be690681fe4e5b9156b44a6aabd51011c9668725c57a4aeaee28e865",
    ]
    /// A full part of zeros; short parts are told apart by letters, and counted as `part_size`.
    private static let zeros = String(repeating: "A", count: 4 << 20)
    private static let (abc, def, ghi) = ("YWJj", "ZGVm", "Z2hp")

    private static func confirmation(_ id: String, _ bytes: Int, _ content: String) -> String {
        "received \(id): \(bytes) bytes, sha256 \(digests[content] ?? "")"
    }

    private static func media(_ id: String, _ part: Int, of parts: Int, _ data: String, _ more: String = #","filename":"p.jpg""#) -> String
    {
        #"{"t":"media","id":"\#(id)","kind":"image","mime":"image/jpeg","part":\#(part),"parts":\#(parts)\#(more),"data":"\#(data)"}"#
    }

    /// The same with `data` first, so that nothing is known of the part while it comes.
    private static func dataFirst(_ id: String, _ part: Int, of parts: Int, _ data: String) -> String {
        #"{"data":"\#(data)","t":"media","id":"\#(id)","kind":"image","mime":"image/jpeg","part":\#(part),"parts":\#(parts),"filename":"p.jpg"}"#
    }

    @Test(arguments: [
        ("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("YWJj", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func `a file of one part is confirmed with its size and digest`(data: String, bytes: Int, digest: String) throws {
        for size in [0, 1, 9] {
            let bench = try GatewayBench(["moods": "none"])
            let socket = bench.connect()
            let id = bench.newID()
            let frame = Self.media(id, 0, of: 1, data, #","filename":"p.jpg","caption":"a \/ caption""#)
            if size == 0 { bench.send(socket, frame) } else { bench.send(socket, frame, piecesOf: size) }
            #expect(bench.texts(socket) == ["received \(id): \(bytes) bytes, sha256 \(digest) a / caption"])
            #expect(bench.frames(socket, "message").first?["final"] as? Bool == true && bench.violations.isEmpty)
            #expect(bench.total("uploads", "complete") == 1 && bench.total("uploads", "confirmed") == 1)
        }
    }

    @Test(arguments: [[0, 1, 2], [2, 0, 1], [1, 2, 0], [0, 2, 1], [2, 1, 0]])
    func `parts in any order give the digest of the whole file`(order: [Int]) throws {
        let data = [Self.abc, Self.def, Self.ghi]
        for (size, isDataFirst) in [(0, false), (1, false), (50, false), (0, true), (9, true)] {
            let bench = try GatewayBench(["moods": "none"])
            let socket = bench.connect()
            let id = bench.newID()
            for part in order {
                let frame = isDataFirst ? Self.dataFirst(id, part, of: 3, data[part]) : Self.media(id, part, of: 3, data[part])
                if size == 0 { bench.send(socket, frame) } else { bench.send(socket, frame, piecesOf: size) }
            }
            #expect(bench.texts(socket) == [Self.confirmation(id, 9, "abcdefghi")])
            #expect(bench.violations.contains("part_order") == (order != [0, 1, 2]))
            #expect(bench.total("uploads", "bytes") == 9)
        }
    }

    @Test func `full parts in order are hashed as they come and leave no violation`() throws {
        let bench = try GatewayBench(["moods": "none"])
        let socket = bench.connect()
        let id = bench.newID()
        let bytes = Array(Self.media(id, 0, of: 2, Self.zeros).utf8)
        bench.core.messageBegan(socket, .text)
        bytes[..<(1 << 20)].withUnsafeBytes { bench.core.messagePiece(socket, $0) }
        guard case .hash = bench.core.sockets[socket].long?.data?.sink else {
            Issue.record("the part is kept")
            return
        }
        bytes[(1 << 20)...].withUnsafeBytes { bench.core.messagePiece(socket, $0) }
        bench.core.messageEnded(socket, at: bench.now)
        bench.send(socket, Self.media(id, 1, of: 2, Self.abc))
        #expect(bench.texts(socket) == [Self.confirmation(id, Self.part + 3, "zeros")] && bench.violations.isEmpty)
    }

    @Test func `a repeat of the last part replaces it`() throws {
        let bench = try GatewayBench(["moods": "none"])
        let socket = bench.connect()
        let id = bench.newID()
        for data in [Self.ghi, Self.def] { bench.send(socket, Self.media(id, 0, of: 2, data), piecesOf: 11) }
        #expect(bench.texts(socket).isEmpty)
        bench.send(socket, Self.media(id, 1, of: 2, Self.abc))
        #expect(bench.texts(socket) == [Self.confirmation(id, 6, "defabc")])
        #expect(bench.violations.filter { $0 != "part_size" } == ["part_repeated"])
    }

    @Test func `a repeat of an early part replaces it`() throws {
        let bench = try GatewayBench(["moods": "none"])
        let socket = bench.connect()
        let id = bench.newID()
        for data in ["eHl6eHl6", Self.def] { bench.send(socket, Self.media(id, 1, of: 2, data)) }
        bench.send(socket, Self.media(id, 0, of: 2, Self.abc), piecesOf: 11)
        #expect(bench.texts(socket) == [Self.confirmation(id, 6, "abcdef")])
    }

    @Test func `a repeat of a part further back is counted and changes nothing`() throws {
        let bench = try GatewayBench(["moods": "none"])
        let socket = bench.connect()
        let id = bench.newID()
        for (part, data) in [(0, Self.abc), (1, Self.def), (0, Self.ghi), (2, Self.ghi)] {
            bench.send(socket, Self.media(id, part, of: 3, data), piecesOf: 11)
        }
        #expect(bench.texts(socket) == [Self.confirmation(id, 9, "abcdefghi")])
        #expect(bench.violations.filter { $0 != "part_size" } == ["part_order", "part_repeated"])
    }

    @Test func `two uploads that alternate are both confirmed`() throws {
        let bench = try GatewayBench(["moods": "none"])
        let socket = bench.connect()
        let (a, b) = (bench.newID(), bench.newID())
        for (id, part, data) in [(a, 0, Self.abc), (b, 0, Self.def), (a, 1, Self.def), (b, 1, Self.abc)] {
            bench.send(socket, Self.media(id, part, of: 2, data), piecesOf: 11)
        }
        #expect(bench.texts(socket) == [Self.confirmation(a, 6, "abcdef"), Self.confirmation(b, 6, "defabc")])
        #expect(bench.violations.filter { $0 != "part_size" } == ["not_back_to_back", "not_back_to_back"])
    }

    /// One frame of an upload → its error, if any, and the violations.
    @Test(
        arguments: [
            (#""kind":"video","mime":"image/jpeg","part":0,"parts":1,"data":"YWJj""#, nil, ["media_kind"]),
            (#""kind":"image","mime":"video/mp4","part":0,"parts":1,"data":"YWJj""#, nil, ["media_mime"]),
            (#""kind":"image","mime":"image/png","part":0,"parts":1,"data":"A-_=""#, "media_corrupt", ["bad_base64"]),
            (#""kind":"image","mime":"image/png","part":0,"parts":1,"data":"YWJ""#, "media_corrupt", ["bad_base64"]),
            (#""kind":"image","mime":"image/png","part":1,"parts":1,"data":"YWJj""#, "media_corrupt", ["part_range"]),
            (#""kind":"image","mime":"image/png","part":-1,"parts":2,"data":"YWJj""#, "media_corrupt", ["part_range"]),
            (#""kind":"image","mime":"image/png","part":0,"parts":0,"data":"YWJj""#, "media_corrupt", ["part_range"]),
            (#""kind":"image","mime":"image/png","part":0,"parts":-9223372036854775808,"data":"YWJj""#, "media_corrupt", ["part_range"]),
            (#""kind":"image","mime":"image/png","part":0,"parts":"1","data":"YWJj""#, nil, ["field_type"]),
            (#""kind":"image","mime":"image/png","parts":1,"data":"YWJj""#, nil, ["field_missing"]),
            (#""kind":"image","mime":"image/png","part":0,"parts":1"#, nil, ["field_missing"]),
            (#""kind":"image","mime":"image/png","part":0,"parts":2,"data":"YWJj""#, nil, ["part_size"]),
            (#""kind":"image","mime":"image/png","part":0,"parts":23,"data":"YWJj""#, "media_too_large", ["part_size"]),
        ] as [(String, String?, [String])])
    func `a wrong part is judged as what it is, whole or in pieces`(members: String, error: String?, kinds: [String]) throws {
        for size in [0, 3] {
            let bench = try GatewayBench(["moods": "none"])
            let socket = bench.connect()
            let frame = #"{"t":"media","id":"\#(bench.newID())",\#(members)}"#
            if size == 0 { bench.send(socket, frame) } else { bench.send(socket, frame, piecesOf: size) }
            #expect(bench.frames(socket, "error").map { $0["code"] as? String } == (error == nil ? [] : [error]))
            #expect(bench.frames(socket, "error").allSatisfy { $0["fatal"] as? Bool == false })
            #expect(bench.violations == kinds)
        }
    }

    @Test func `what follows a spoiled upload is ignored`() throws {
        let bench = try GatewayBench(["moods": "none"])
        let socket = bench.connect()
        let id = bench.newID()
        bench.send(socket, Self.media(id, 0, of: 2, Self.abc), piecesOf: 11)
        bench.send(socket, Self.media(id, 1, of: 3, "YWJj"))
        bench.send(socket, Self.media(id, 1, of: 2, "YWJj"))
        bench.send(socket, bench.hello())
        #expect(bench.frames(socket, "error").map { $0["message"] as? String } == ["\(id): parts_changed"])
        #expect(bench.texts(socket).isEmpty && bench.violations.filter { $0 != "part_size" } == ["parts_changed"])
        #expect(bench.total("uploads", "corrupt", "parts_changed") == 1 && bench.total("uploads", "corrupt_bytes") == 3)
    }

    @Test func `members that change between parts are counted`() throws {
        let bench = try GatewayBench(["moods": "none"])
        let socket = bench.connect()
        let id = bench.newID()
        bench.send(socket, Self.media(id, 0, of: 2, Self.abc, #","caption":"a""#))
        bench.send(socket, Self.media(id, 1, of: 2, Self.def, #","caption":"b""#))
        #expect(bench.violations.contains("part_fields_changed") && bench.texts(socket) == [Self.confirmation(id, 6, "abcdef") + " a"])
    }

    @Test func `an upload without progress is given up`() throws {
        let bench = try GatewayBench(["assembly-timeout": "10s"])
        let socket = bench.connect()
        let id = bench.newID()
        bench.send(socket, Self.media(id, 0, of: 3, Self.abc))
        bench.advance(.seconds(9))
        bench.send(socket, Self.media(id, 1, of: 3, Self.def))
        bench.advance(.seconds(9))
        #expect(bench.total("uploads", "corrupt", "timeout") == 0)
        bench.advance(.seconds(1))
        #expect(bench.total("uploads", "corrupt", "timeout") == 1 && bench.core.devices[0].uploads.isEmpty)
    }

    @Test(arguments: [true, false])
    func `half an upload survives a reconnect only on demand`(resumes: Bool) throws {
        let bench = try GatewayBench(["moods": "none", "upload-resume": "\(resumes)"])
        let socket = bench.connect()
        let id = bench.newID()
        bench.send(socket, Self.media(id, 0, of: 2, Self.abc))
        // A part that is cut half-way leaves nothing behind.
        let half = Self.media(id, 1, of: 2, Self.def).utf8.prefix(150)
        bench.core.messageBegan(socket, .text)
        Array(half).withUnsafeBytes { bench.core.messagePiece(socket, $0) }
        bench.cut(socket)
        let again = bench.connect()
        bench.send(again, Self.media(id, 1, of: 2, Self.def))
        #expect(bench.texts(again) == (resumes ? [Self.confirmation(id, 6, "abcdef")] : []))
        #expect(bench.total("uploads", "corrupt", "connection_lost") == (resumes ? 0 : 1))
        #expect(bench.violations == ["part_size"])
    }

    @Test func `a text between parts is counted once`() throws {
        let bench = try GatewayBench(["edits": "0", "moods": "none"])
        let socket = bench.connect()
        let id = bench.newID()
        bench.send(socket, Self.media(id, 0, of: 2, Self.abc))
        bench.say(socket, "between")
        bench.send(socket, Self.media(id, 1, of: 2, "YWJj"))
        #expect(bench.violations == ["not_back_to_back", "part_size"] && bench.texts(socket).count == 2)
    }

    @Test func `a part hashed while another socket changed its upload is refused`() throws {
        let bench = try GatewayBench(["second-socket": "fanout", "moods": "none"])
        let (a, b) = (bench.connect(), bench.connect())
        let id = bench.newID()
        let bytes = Array(Self.media(id, 0, of: 2, Self.abc).utf8)
        let middle = bytes.count - 4
        bench.core.messageBegan(a, .text)
        bytes[..<middle].withUnsafeBytes { bench.core.messagePiece(a, $0) }
        bench.send(b, Self.media(id, 0, of: 2, Self.def))
        bytes[middle...].withUnsafeBytes { bench.core.messagePiece(a, $0) }
        bench.core.messageEnded(a, at: bench.now)
        bench.perform()
        #expect(bench.total("uploads", "corrupt", "interleaved") == 1 && bench.frames(b, "error").count == 1)
    }
}
