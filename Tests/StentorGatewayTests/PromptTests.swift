import StentorBase
import Testing

@testable import StentorGateway

struct PromptTests {
    private static func ask(_ bench: GatewayBench, _ socket: Int, _ words: String) -> String {
        bench.say(socket, words)
        return bench.frames(socket, "prompt").last?["id"] as? String ?? "no card"
    }

    private static func answer(_ bench: GatewayBench, _ socket: Int, _ card: String, _ option: String?, _ text: String? = nil) {
        let optionField = option.map { #","option_id":"\#($0)""# } ?? ""
        let textField = text.map { #","text":"\#($0)""# } ?? ""
        bench.send(socket, #"{"t":"prompt","prompt_id":"\#(card)"\#(optionField)\#(textField)}"#)
    }

    @Test(arguments: [
        ("please approve", "exec_approval", ["once", "session", "always", "deny"]),
        ("please confirm", "slash_confirm", ["once", "always", "cancel"]), ("please clarify", "clarify", ["c0", "c1", "c2", "other"]),
        ("please clarify free", "clarify", []),
    ])
    func `words bring a card of their kind`(words: String, kind: String, ids: [String]) {
        let bench = GatewayBench()
        let socket = bench.connect()
        bench.say(socket, words)
        let card = bench.frames(socket, "prompt").first ?? [:]
        let options = card["options"] as? [[String: String]] ?? []
        #expect(card["kind"] as? String == kind && options.compactMap { $0["id"] } == ids && card["text"] is String)
        #expect(options.allSatisfy { $0["label"] != nil && ($0["style"] == "danger") == ($0["id"] == "always") })
    }

    /// Card, answer → what is applied, and how it is counted.
    @Test(
        arguments: [
            ("please approve", "deny", nil, "deny", 0, []), ("please approve", "nonsense", nil, "deny", 1, []),
            ("please approve", "Once", nil, "deny", 1, ["option_id_case"]), ("please approve", nil, nil, "deny", 1, []),
            ("please confirm", "session", nil, "cancel", 1, []), ("please confirm", "other", "x", "cancel", 1, []),
            ("please clarify", "c1", nil, "c1", 0, []), ("please clarify", "other", "mine", "other", 0, []),
            ("please clarify", "other", " \\t", nil, 0, ["other_without_text"]), ("please clarify", "c99", nil, nil, 0, ["answer_invalid"]),
        ] as [(String, String?, String?, String?, Int, [String])])
    func `an answer is applied, replaced or refused`(
        words: String, option: String?, text: String?, applied: String?, substituted: Int, kinds: [String]
    ) {
        let bench = GatewayBench()
        let socket = bench.connect()
        Self.answer(bench, socket, Self.ask(bench, socket, words), option, text)
        let done = bench.frames(socket, "prompt_done")
        #expect(done.first?["option_id"] as? String == applied && done.count == (applied == nil ? 0 : 1))
        #expect(done.first?["expired"] == nil)
        #expect(bench.total("prompts", "substituted") == substituted && bench.total("prompts", "answered") == done.count)
        #expect(bench.violations == kinds)
    }

    @Test func `a free clarify takes a text and nothing else`() {
        let bench = GatewayBench()
        let socket = bench.connect()
        let card = Self.ask(bench, socket, "please clarify free")
        Self.answer(bench, socket, card, "c0")
        #expect(bench.frames(socket, "prompt_done").isEmpty && bench.violations == ["answer_invalid"])
        Self.answer(bench, socket, card, nil, "the second")
        #expect(bench.sent[socket]?.contains(#"{"t":"prompt_done","id":"\#(card)"}"#) == true)
    }

    @Test func `a card expires once, and late or repeated answers are ignored`() throws {
        let bench = try GatewayBench(["prompt-expiry": "2s"])
        let socket = bench.connect()
        let (first, second) = (Self.ask(bench, socket, "please approve"), Self.ask(bench, socket, "please approve"))
        Self.answer(bench, socket, second, "once")
        bench.advance(.milliseconds(1999))
        #expect(bench.frames(socket, "prompt_done").count == 1)
        bench.advance(.milliseconds(1))
        #expect(bench.sent[socket]?.contains(#"{"t":"prompt_done","id":"\#(first)","expired":true}"#) == true)
        Self.answer(bench, socket, first, "once")
        Self.answer(bench, socket, second, "deny")
        bench.advance(.seconds(5))
        #expect(bench.frames(socket, "prompt_done").count == 2)
        #expect(bench.total("prompts", "expired") == 1 && bench.total("prompts", "late_answers") == 1)
        #expect(bench.total("prompts", "repeated_answers") == 1 && bench.violations.isEmpty)
    }

    @Test(arguments: [("card", 1, 1), ("done", 0, 1), ("none", 0, 0)])
    func `after a reconnect cards come as asked for`(mode: String, cards: Int, ends: Int) throws {
        let bench = try GatewayBench(["prompt-expiry": "10s", "prompt-resend": mode])
        let socket = bench.connect()
        _ = Self.ask(bench, socket, "please approve")
        bench.advance(.seconds(5))
        let open = Self.ask(bench, socket, "please confirm")
        bench.cut(socket)
        bench.advance(.seconds(6))
        let again = bench.connect()
        #expect(bench.frames(again, "prompt").compactMap { $0["id"] as? String } == (cards == 1 ? [open] : []))
        #expect(bench.frames(again, "prompt_done").count == ends && bench.total("prompts", "resent") == cards)
        // What was missed is told once; the open card ends on its own time.
        bench.cut(again)
        let third = bench.connect()
        #expect(bench.frames(third, "prompt_done").isEmpty)
        bench.advance(.seconds(4))
        #expect(bench.frames(third, "prompt_done").map { $0["id"] as? String } == [open])
    }

    @Test func `another device cannot answer a card`() {
        let bench = GatewayBench()
        let (a, b) = (bench.connect("a"), bench.connect("b"))
        let card = Self.ask(bench, a, "please approve")
        Self.answer(bench, b, card, "once")
        Self.answer(bench, a, card.uppercased(), "once")
        #expect(bench.frames(a, "prompt_done").isEmpty && bench.violations == ["unknown_prompt", "unknown_prompt"])
    }

    @Test func `a text answers an open clarify if that is asked for`() throws {
        let bench = try GatewayBench(["text-answers-clarify": "true", "edits": "0"])
        let socket = bench.connect()
        _ = Self.ask(bench, socket, "please clarify")
        bench.say(socket, " ")
        bench.say(socket, "the second")
        bench.say(socket, "and now a text")
        #expect(bench.frames(socket, "prompt_done").map { $0["option_id"] as? String } == ["other"])
        #expect(bench.texts(socket) == ["please clarify", " ", "and now a text"] && bench.total("prompts", "superseded") == 1)
    }

    @Test func `unasked cards come in their period while the device is there`() throws {
        let bench = try GatewayBench(["prompt-every": "10s", "prompt-kinds": "clarify_free", "prompt-expiry": "1s"])
        let socket = bench.connect()
        bench.advance(.seconds(10))
        #expect(bench.frames(socket, "prompt").count == 1)
        bench.advance(.seconds(50))
        #expect(bench.frames(socket, "prompt").count == 6 && bench.frames(socket, "prompt_done").count >= 5)
        bench.cut(socket)
        bench.advance(.seconds(100))
        #expect(bench.total("prompts", "sent") == 6)
    }

    @Test func `unasked cards go on while one of two sockets is left`() throws {
        let bench = try GatewayBench(["prompt-every": "10s", "second-socket": "fanout"])
        let (first, second) = (bench.connect(), bench.connect())
        bench.advance(.seconds(5))
        bench.cut(first)
        bench.advance(.seconds(60))
        #expect(bench.total("prompts", "sent") >= 6 && bench.frames(second, "prompt").count == bench.total("prompts", "sent"))
    }

    @Test func `closed cards are forgotten in the end, open ones never`() {
        let bench = GatewayBench()
        let socket = bench.connect()
        let cards = (0..<100).map { _ in Self.ask(bench, socket, "please approve") }
        for card in cards.dropFirst() { Self.answer(bench, socket, card, "once") }
        for _ in 0..<100 { Self.answer(bench, socket, Self.ask(bench, socket, "please approve"), "once") }
        #expect(bench.core.devices[0].cards.count <= 101)
        Self.answer(bench, socket, cards[0], "once")
        #expect(bench.total("prompts", "answered") == 200 && bench.violations.isEmpty)
    }
}
