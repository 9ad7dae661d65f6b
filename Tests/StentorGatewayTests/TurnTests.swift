import StentorBase
import Testing

@testable import StentorGateway

struct TurnTests {
    @Test(arguments: [
        ([:], "THSMEEE!IO"), (["edits": "0"], "THSM!IO"), (["edits": "1", "final": "false"], "THSMEIO"), (["stream": "false"], "THSM!IO"),
        (["stream": "false", "plain-parts": "3"], "THSMMM!IO"), (["moods": "none"], "MEEE!"), (["moods": "typing"], "TMEEE!O"),
        (["moods": "avatar", "final": "false"], "HSMEEEI"),
    ])
    func `a turn has the frames asked for, in order`(settings: [String: String], letters: String) throws {
        let bench = try GatewayBench(settings)
        let socket = bench.connect()
        bench.say(socket, "a reply of some words [#1]")
        bench.advance(.seconds(1))
        #expect(bench.letters(socket) == letters)
        #expect(bench.total("replies", "sent") == 1 && bench.violations.isEmpty)
    }

    @Test func `edits carry the whole text so far and cut no character`() throws {
        let bench = try GatewayBench(["moods": "none"])
        let socket = bench.connect()
        bench.say(socket, "aбв🐦 гд你好")
        bench.advance(.seconds(1))
        #expect(bench.texts(socket) == ["aбв", "aбв🐦 г", "aбв🐦 гд你好", "aбв🐦 гд你好"])
        #expect(Set(bench.frames(socket, "message").compactMap { $0["id"] as? String }).count == 1)
    }

    @Test func `plain parts add up to the text`() throws {
        let bench = try GatewayBench(["stream": "false", "plain-parts": "4", "moods": "none"])
        let socket = bench.connect()
        bench.say(socket, "aбв🐦 г")
        bench.advance(.seconds(1))
        #expect(bench.texts(socket) == ["aб", "в🐦", " г", ""])
    }

    @Test(arguments: [
        (#"quote \" back \\ slash \/ tab \t line \n end \u0001 \u001f"#, "quote \" back \\ slash / tab \t line \n end \u{1} \u{1f}"),
        (#"\ud83d\udc26 \u2028 \u00e9"#, "\u{1F426} \u{2028} \u{e9}"), ("", ""), (" ", " "),
    ])
    func `a text comes back unchanged, with slashes escaped or not`(escaped: String, plain: String) throws {
        for slashes in ["true", "false"] {
            let bench = try GatewayBench(["edits": "0", "escape-slashes": slashes])
            let socket = bench.connect()
            bench.say(socket, escaped)
            #expect(bench.texts(socket) == [plain])
        }
    }

    @Test func `the delay runs from receipt, the gap from piece to piece`() throws {
        let bench = try GatewayBench(["reply-delay": "500ms", "edits": "2", "edit-gap": "40ms"])
        let socket = bench.connect()
        bench.forget(socket)
        let began = bench.now
        bench.say(socket, "x")
        bench.advance(.seconds(2))
        let after = bench.times[socket]?.map { $0 - began } ?? []
        // typing, thinking; speaking, message; edit; edit, idle, stop
        #expect(after == [0, 0, 500, 500, 540, 580, 580, 580].map { .milliseconds($0) })
    }

    @Test func `turns of one device follow one another, those of two run side by side`() throws {
        let bench = try GatewayBench(["moods": "none", "edits": "1", "edit-gap": "100ms"])
        let (a, b) = (bench.connect("a"), bench.connect("b"))
        bench.forget(a)
        bench.forget(b)
        let began = bench.now
        for n in 0..<2 { bench.say(a, "[#\(n)]") }
        bench.say(b, "[#0]")
        bench.advance(.seconds(1))
        #expect(bench.texts(a) == ["[#", "[#0]", "[#", "[#1]"])
        #expect(bench.times[a]?.map { $0 - began } == [0, 100, 100, 200].map { .milliseconds($0) })
        #expect(bench.times[b]?.map { $0 - began } == [0, 100].map { .milliseconds($0) })
    }

    @Test func `what is lost, doubled and overtaken is what the device saw`() throws {
        let bench = try GatewayBench([
            "stream": "false", "moods": "none", "lose-rate": "15%", "duplicate-rate": "15%", "reorder-rate": "15%", "seed": "5",
        ])
        let socket = bench.connect()
        for n in 0..<200 { bench.say(socket, "[#\(n)]") }
        bench.advance(.seconds(3))
        let got = bench.texts(socket).compactMap { Int($0.dropFirst(2).dropLast()) }
        let truth = (bench.totals["per_device"] as? [String: Any])?["dev"] as? [String: Any] ?? [:]
        let lost = Set(0..<200).subtracting(got).sorted()
        #expect(truth["lost"] as? [Int] == lost && !lost.isEmpty)
        let doubled = Set(got.filter { n in got.count { $0 == n } == 2 }).sorted()
        #expect(truth["duplicated"] as? [Int] == doubled && !doubled.isEmpty)
        var highest = -1
        var late: [Int] = []
        for n in got where !late.contains(n) {
            if n < highest, !doubled.contains(n) { late.append(n) }
            highest = max(highest, n)
        }
        #expect((truth["reordered"] as? [Int])?.sorted() == late.sorted() && !late.isEmpty)
        #expect(truth["replied"] as? Int == got.count && bench.total("replies", "sent") == got.count)
        #expect(bench.total("replies", "lost") == lost.count && bench.total("replies", "duplicated") == doubled.count)
    }

    @Test func `a late reply with none after it goes out after two seconds and was not overtaken`() throws {
        let bench = try GatewayBench(["edits": "0", "reorder-rate": "1"])
        let socket = bench.connect()
        bench.say(socket, "late")
        bench.advance(.milliseconds(1999))
        #expect(bench.texts(socket).isEmpty)
        bench.advance(.milliseconds(1))
        #expect(bench.texts(socket) == ["late"] && bench.total("replies", "reordered") == 0 && bench.total("replies", "sent") == 1)
    }

    @Test func `a late reply is overtaken by the next reply, not by a confirmation`() throws {
        let bench = try GatewayBench(["stream": "false", "moods": "none", "reorder-rate": "1"])
        let socket = bench.connect()
        bench.say(socket, "late")
        let id = bench.newID()
        bench.send(
            socket, #"{"t":"media","id":"\#(id)","kind":"image","mime":"image/png","part":0,"parts":1,"data":""}"#)
        bench.say(socket, "next")
        #expect(bench.texts(socket).map { String($0.prefix(8)) } == ["received", "next", "late"])
        #expect(bench.total("replies", "reordered") == 1)
    }

    @Test(arguments: [(50, 150), (150, 1000)])
    func `a doubled reply of which one copy finds the device is sent once`(away: Int, back: Int) throws {
        // Copies end at 100 ms and 200 ms.
        let bench = try GatewayBench(["moods": "none", "edits": "1", "edit-gap": "100ms", "duplicate-rate": "1"])
        let socket = bench.connect()
        bench.say(socket, "[#1]")
        bench.advance(.milliseconds(away))
        bench.cut(socket)
        bench.advance(.milliseconds(back - away))
        _ = bench.connect()
        bench.advance(.seconds(1))
        #expect(bench.total("replies", "sent") == 1 && bench.total("replies", "duplicated") == 0 && bench.total("replies", "unsent") == 0)
    }

    @Test func `a reply due while its device is away is unsent`() throws {
        let bench = try GatewayBench(["edits": "0", "reply-delay": "1s"])
        bench.say(bench.connect(), "[#7]")
        bench.cut(0)
        bench.advance(.seconds(2))
        let again = bench.connect()
        bench.advance(.seconds(2))
        #expect(bench.texts(again).isEmpty && bench.total("replies", "unsent") == 1 && bench.total("replies", "sent") == 0)
        let truth = (bench.totals["per_device"] as? [String: Any])?["dev"] as? [String: Any]
        #expect(truth?["unsent"] as? [Int] == [7])
    }

    @Test func `held replies go out after the next ready, in order`() throws {
        let bench = try GatewayBench(["moods": "none", "edits": "1", "reply-delay": "1s", "while-away": "hold"])
        let socket = bench.connect()
        bench.say(socket, "one")
        bench.say(socket, "two")
        bench.advance(.milliseconds(1050))
        #expect(bench.texts(socket) == ["on"])
        bench.cut(socket)
        bench.advance(.seconds(60))
        let again = bench.connect()
        bench.advance(.seconds(1))
        #expect(bench.texts(again) == ["one", "tw", "two"])
        #expect(bench.total("replies", "sent") == 2 && bench.total("replies", "unsent") == 0)
    }

    @Test func `every kind of bad frame precedes replies in turn`() throws {
        let bench = try GatewayBench(["moods": "none", "edits": "0", "bad-frame-rate": "1", "error-rate": "100%"])
        let socket = bench.connect()
        for _ in 0..<6 { bench.say(socket, "x") }
        let odd = bench.sent[socket]?.filter { !$0.contains("message") && !$0.contains("ready") }
        #expect(odd == [#"{"t":"not_in_the_list","x":1}"#, #"{"t":"#, "[1,2]", #"{"x":1}"#, #"{"t":7}"#, "nonsense"])
        #expect(bench.frames(socket, "error").allSatisfy { $0["fatal"] as? Bool == false })
        #expect(bench.total("on_purpose", "error") == 6 && bench.total("on_purpose", "unknown") == 1)
        #expect(bench.total("on_purpose", "malformed") == 5)
    }

    @Test func `an audio is answered by its transcript, or by what was heard`() throws {
        let bench = try GatewayBench(["edits": "0", "moods": "none"])
        let socket = bench.connect()
        bench.send(socket, #"{"t":"audio","id":"\#(bench.newID())","format":"wav","data":"YWJj","text":"said [#3]"}"#)
        let id = bench.newID()
        // SHA-256 of "abc": FIPS 180-2, B.1.
        let heard = "heard \(id): 3 bytes, sha256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        bench.send(socket, #"{"t":"audio","id":"\#(id)","format":"ogg","data":"YWJj"}"#)
        for key in ["format\":\"ogg\",\"data", "data"] {
            let tail = key == "data" ? #","format":"ogg""# : ""
            bench.send(socket, #"{"t":"audio","id":"\#(id)","\#(key)":"YWJj"\#(tail)}"#, piecesOf: 5)
        }
        #expect(bench.texts(socket) == ["said [#3]", heard, heard, heard])
        bench.send(socket, #"{"t":"audio","id":"\#(bench.newID())","format":"mp3","data":"YWJ"}"#)
        #expect(bench.violations == ["audio_format", "bad_base64", "id_reused", "id_reused"] && bench.total("audios") == 5)
    }

    @Test(arguments: [
        ("nonsense", ["malformed"]), ("", ["malformed"]), ("[1,2]", ["malformed"]), (#"{"t":7}"#, ["malformed"]),
        (#"{"x":1}"#, ["malformed"]),
        (#"{"t":"ready"}"#, ["unknown_t"]), (#"{"t":"text","id":"17","text":"x"}"#, ["id_not_uuid"]),
        (#"{"t":"text","id":"ID","text":5}"#, ["field_type"]), (#"{"t":"text","id":"ID"}"#, ["field_missing"]),
        (#"{"t":"text","id":"ID","text":"x","mood":1}"#, ["field_extra"]),
        (#"{"t":"text","id":"ID","text":"x","data":"y"}"#, ["field_extra"]),
        (#"{"t":"text","id":5,"text":["a"]}"#, ["field_type", "field_type", "id_not_uuid"]),
    ])
    func `a wrong frame is counted as what it is, whole or in pieces`(frame: String, kinds: [String]) {
        for size in [0, 1, 7] {
            let bench = GatewayBench()
            let socket = bench.connect()
            let frame = frame.replacing("ID", with: bench.newID())
            if size == 0 { bench.send(socket, frame) } else { bench.send(socket, frame, piecesOf: size) }
            #expect(bench.violations == kinds)
            #expect(bench.deeds[socket] == [])
        }
    }

    @Test func `binary messages are taken and counted`() throws {
        let bench = try GatewayBench(["edits": "0"])
        let socket = bench.connect()
        bench.send(socket, #"{"t":"text","id":"\#(bench.newID())","text":"x"}"#, .binary)
        #expect(bench.texts(socket) == ["x"] && bench.violations == ["binary_message"])
    }

    @Test(
        arguments: [
            ("x [#17] [#18]", 17, nil, nil), ("[#] [#x] [#1", nil, nil, nil), ("[#0]", 0, nil, nil),
            ("[#1234567890123456789]", nil, nil, nil),
            ("Please APPROVE", nil, .execApproval, nil), ("please clarify", nil, .clarify, nil),
            ("please clarify free", nil, .clarifyFree, nil),
            ("please confirm and please approve", nil, .execApproval, nil), ("pleasé confirm please  confirm", nil, nil, nil),
            ("Send photo 1000 send photo 2", nil, nil, 1000), ("send photo x send photo 5", nil, nil, 5),
        ] as [(String, Int?, PromptOffer?, Int?)])
    func `what a text asks for is found`(text: String, sequence: Int?, card: PromptOffer?, photo: Int?) {
        let signs = Array(text.utf8).withUnsafeBytes { TextSigns($0) }
        #expect(signs.sequence == sequence && signs.card == card && signs.photoBytes == photo)
    }
}
