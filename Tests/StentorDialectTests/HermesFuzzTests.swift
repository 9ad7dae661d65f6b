import StentorBase
import StentorDialect
import Testing

struct HermesFuzzTests {
    private static let seeds = [
        #"{"t":"ready","avatar_url":"https:\/\/x"}"#, #"{"t":"typing","stop":true}"#, #"{"t":"avatar","state":"idle"}"#,
        #"{"t":"message","id":"m","text":"[#12] h\u00e9llo","edit":true,"final":false}"#,
        #"{"t":"message","id":"n","text":"received u: 5 bytes, sha256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}"#,
        #"{"t":"prompt","id":"p","kind":"clarify","text":"?","options":[{"id":"c0","label":"A"},{"id":"other"}]}"#,
        #"{"t":"prompt_done","id":"p","option_id":"c0","expired":false}"#,
        #"{"t":"media","id":"f","kind":"image","part":0,"parts":2,"data":"AAEC\/w==","caption":"bytes=4 sha256=00"}"#,
        #"{"data":"AAEC","t":"media","id":"f","part":1,"parts":2}"#,
        #"{"t":"error","code":"media_corrupt","message":"u: no","fatal":true}"#,
    ].map { Array($0.utf8) }

    private static func mutated(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<random.integer(in: 0...3) where !bytes.isEmpty {
            let at = random.integer(in: 0...bytes.count - 1)
            switch random.integer(in: 0...3) {
            case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.removeSubrange(at..<min(bytes.count, at + random.integer(in: 1...8)))
            case 2: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 9)], at: at)
            default: bytes.insert([0x22, 0x5C, 0x7B, 0x7D, 0x5B, 0x39, 0x2D][random.integer(in: 0...6)], at: at)
            }
        }
        return bytes
    }

    @Test(arguments: Correlation.allCases)
    func `no mutation of frames traps, whole or streamed`(correlation: Correlation) {
        var random = SeededRandom(seed: 11)
        let whole = HermesDriver { $0.correlation = correlation }
        let streamed = HermesDriver { $0.correlation = correlation }
        var now: Int64 = 0
        var kinds = Set<Substring>()
        for round in 0..<4000 {
            now += Int64(random.integer(in: 0...400))
            let bytes = Self.mutated(Self.seeds[random.integer(in: 0...Self.seeds.count - 1)], &random)
            var facts = whole.receive(bytes, at: now) + streamed.stream(bytes, piece: random.integer(in: 1...40), at: now)
            if round % 50 == 0 {
                facts += whole.lose(at: now) + streamed.lose(at: now)
                whole.openTurn(round)
                streamed.openTurn(round)
                whole.beginUpload("u", bytes: 5)
            }
            facts += whole.pass(to: now) + streamed.pass(to: now)
            kinds.formUnion(facts.map { "\($0)".prefix { $0 != "(" } })
            for driver in [whole, streamed] {
                if let deadline = driver.deadline { #expect(deadline > now) }
            }
        }
        #expect(
            kinds.isSuperset(of: [
                "ready", "replyBegan", "replyEdited", "replyEnded", "unmatchedReply", "promptOpened", "promptClosed", "uploadConfirmed",
                "uploadRefused", "downloadBegan", "downloadEnded", "serverError", "unknownFrame", "malformedFrame",
            ]), "\(kinds)")
    }

    @Test func `a frame says the same whole and streamed`() {
        var random = SeededRandom(seed: 12)
        var compared = 0
        for _ in 0..<6000 {
            let bytes = Self.mutated(Self.seeds[random.integer(in: 0...Self.seeds.count - 1)], &random)
            let facts = HermesDriver().receive(bytes, at: 7)
            // Of a frame that turns out to be none, or that holds a key twice, the stream has acted on the beginning.
            guard facts != [.malformedFrame], !Self.holdsKeyTwice(bytes) else { continue }
            compared += 1
            #expect(HermesDriver().stream(bytes, piece: random.integer(in: 1...40), at: 7) == facts)
        }
        #expect(compared > 1500)
    }

    private static func holdsKeyTwice(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return ["data", "part", "parts", "id", "t"].contains { text.ranges(of: "\"\($0)\"").count > 1 }
    }
}
