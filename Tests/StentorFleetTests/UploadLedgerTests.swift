import StentorBase
import StentorMetrics
import StentorWire
import Testing

@testable import StentorFleet

@Suite struct `The accounts of photos` {
    private final class Script {
        let book = Book()
        var ledger = UploadLedger()
        let photo = PhotoLibrary(sizes: 5000...5000, partBytes: 3000, seed: 1).photos[0]

        /// Queues a photo at 0 ms with a deadline at 1000 ms.
        func queue(_ id: String) -> Int {
            ledger.queued(id, photo, due: at(0), at: at(0), deadline: at(1000), phase: .steady)
        }
        func begin(_ id: String, at milliseconds: Int64 = 100) -> Int {
            let number = queue(id)
            ledger.reached(number, at: at(milliseconds))
            ledger.began(number, book.shard)
            return number
        }
        @discardableResult func confirm(_ id: String, bytes: Int = 5000, digest: SHA256Digest? = nil, at milliseconds: Int64) -> Bool {
            ledger.confirmed(id, bytes: bytes, digest: digest, at: at(milliseconds), book.shard)
        }
        func refuse(_ id: String) -> Bool { ledger.refused(id, code: "too_large", at: at(200), book.shard) }
        func look(at milliseconds: Int64) -> [String] { ledger.deadlinePassed(at: at(milliseconds), book.shard) }
        var counts: [String: Int64] { book.counts("uploads.") }
    }

    private static let otherDigest = SHA256Digest(of: Array("another".utf8))

    @Test func `a photo is sent with its first byte, and measured from there`() {
        let script = Script()
        let number = script.begin("a")
        #expect(script.counts == ["uploads.sent": 1, "uploads.in_doubt": 1])
        script.ledger.ended(number, at: at(300), script.book.shard)
        #expect(script.confirm("a", digest: script.photo.digest, at: 450))
        #expect(script.counts == ["uploads.sent": 1, "uploads.confirmed": 1, "uploads.bytes": 5000])
        #expect(script.book.samples(.upload, in: .steady) == .init(count: 1, milliseconds: 200))
        #expect(script.book.samples(.confirm, in: .steady) == .init(count: 1, milliseconds: 150))
        // 5000 bytes in 0.2 s.
        #expect(script.book.totals().histogram(.uploadRate, in: .steady).sum == 25_000)
    }

    @Test func `a photo that only filled a buffer has a time but no rate`() {
        let script = Script()
        let number = script.begin("a", at: 100)
        script.ledger.ended(number, at: at(100), script.book.shard)
        #expect(script.book.samples(.upload, in: .steady).count == 1)
        #expect(script.book.samples(.uploadRate, in: .steady).count == 0)
    }

    @Test func `another size or digest is corrupt, also for a photo that was lost`() {
        let script = Script()
        for id in ["a", "b", "c", "d"] { _ = script.begin(id) }
        #expect(script.confirm("a", bytes: 4999, digest: script.photo.digest, at: 200))
        #expect(script.confirm("b", digest: Self.otherDigest, at: 200))
        #expect(script.refuse("c"))
        #expect(script.look(at: 1000).isEmpty)
        #expect(script.counts == ["uploads.sent": 4, "uploads.corrupt": 3, "uploads.lost": 1])
        script.confirm("d", digest: Self.otherDigest, at: 1100)
        #expect(script.counts == ["uploads.sent": 4, "uploads.corrupt": 4])
        #expect(script.book.count(.mediaCorrupt) == 4)
    }

    @Test func `a confirmation after the deadline is late, before or after the deadline was noticed`() {
        let script = Script()
        _ = script.begin("a")
        _ = script.begin("b")
        script.confirm("a", at: 1001)
        _ = script.look(at: 1002)
        script.confirm("b", at: 1003)
        #expect(script.counts == ["uploads.sent": 2, "uploads.late": 2])
    }

    @Test func `an offence tells the way of its photo and what the server said`() {
        let script = Script()
        for (index, id) in ["a", "b", "c", "d"].enumerated() {
            script.ledger.ended(script.begin(id), at: at(150 + Int64(index)), script.book.shard)
        }
        script.confirm("a", bytes: 4999, at: 200)
        script.confirm("b", digest: Self.otherDigest, at: 201)
        _ = script.refuse("c")
        _ = script.look(at: 1000)
        script.confirm("d", at: 1100)
        let offences = script.ledger.takeOffences()
        #expect(offences.map(\.fate) == [.corrupt, .corrupt, .corrupt, .lost, .late])
        #expect(
            offences.map(\.detail) == [
                "the server has 4999 of 5000 bytes", "the server has other bytes (SHA-256)", "refused: too_large", "", "",
            ])
        #expect(offences.map(\.confirmed) == [at(200), at(201), at(200), nil, at(1100)])
        for offence in offences {
            #expect(offence.due == at(0) && offence.started == at(100) && offence.deadline == at(1000))
            #expect(offence.ended == at(149 + Int64(offence.sequence)))
        }
    }

    @Test func `what is not known, not begun, or settled is not confirmed`() {
        let script = Script()
        _ = script.queue("a")
        #expect(!script.confirm("a", at: 10) && !script.confirm("x", at: 10))
        _ = script.begin("b")
        #expect(script.confirm("b", at: 200))
        #expect(!script.confirm("b", at: 210))
        #expect(!script.refuse("b"))
        #expect(script.counts == ["uploads.sent": 1, "uploads.confirmed": 1])
    }

    @Test func `a lost connection takes back what was not begun, and a late mark of it counts nothing`() {
        let script = Script()
        _ = script.begin("a")
        let second = script.queue("b")
        script.ledger.connectionLost(script.book.shard)
        script.ledger.began(second, script.book.shard)
        script.ledger.ended(second, at: at(200), script.book.shard)
        #expect(script.counts == ["uploads.sent": 1, "uploads.in_doubt": 1, "uploads.not_sent": 1])
        #expect(script.ledger.deadline == at(1000) && script.ledger.waitingCount == 1)
        _ = script.look(at: 1000)
        #expect(script.counts == ["uploads.sent": 1, "uploads.lost": 1, "uploads.not_sent": 1])
        #expect(script.ledger.deadline == nil && script.ledger.waitingCount == 0)
    }

    @Test func `the oldest lost photos are forgotten and named`() {
        let script = Script()
        for index in 0..<66 { _ = script.begin("\(index)") }
        #expect(script.look(at: 2000) == ["0", "1"])
        #expect(!script.confirm("1", at: 2001) && script.confirm("2", at: 2001))
        #expect(script.counts == ["uploads.sent": 66, "uploads.lost": 65, "uploads.late": 1])
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `sent is confirmed, late, corrupt, lost and in doubt together after every event`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let script = Script()
        var milliseconds: Int64 = 0
        var last = 0
        for step in 0..<200 {
            milliseconds += Int64(random.integer(in: 0...40))
            let now = at(milliseconds)
            let number = random.integer(in: 0...(last + 1))
            switch random.integer(in: 0...9) {
            case 0...2:
                last = script.ledger.queued(
                    "\(last + 1)", script.photo, due: now, at: now, deadline: now + .milliseconds(300), phase: .steady)
            case 3: script.ledger.reached(number, at: now)
            case 4...5: script.ledger.began(number, script.book.shard)
            case 6: script.ledger.ended(number, at: now, script.book.shard)
            case 7:
                let digest = [nil, script.photo.digest, Self.otherDigest].randomElement(using: &random) ?? nil
                script.confirm("\(number)", digest: digest, at: milliseconds)
            case 8: _ = script.ledger.deadlinePassed(at: now, script.book.shard)
            default: if random.chance(0.2) { script.ledger.connectionLost(script.book.shard) }
            }
            let totals = script.book.totals()
            let ends = [Counter.uploadsConfirmed, .uploadsLate, .uploadsCorrupt, .uploadsLost, .uploadsInDoubt].map { totals.count($0) }
            #expect(totals.count(.uploadsSent) == ends.reduce(0, +) && ends.allSatisfy { $0 >= 0 }, "step \(step)")
        }
    }
}
