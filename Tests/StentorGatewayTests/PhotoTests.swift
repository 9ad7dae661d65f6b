import Foundation
import StentorBase
import StentorWire
import Testing

@testable import StentorGateway

struct PhotoTests {
    private static let part = 3 << 20

    /// The photo in these frames, and whether caption, parts and sizes are right.
    private static func assemble(_ frames: [[String: Any]]) throws -> Data {
        let parts = frames.count
        var whole = Data()
        for (index, frame) in frames.enumerated() {
            #expect(frame["part"] as? Int == index && frame["parts"] as? Int == parts && frame["kind"] as? String == "image")
            let piece = try #require(Data(base64Encoded: frame["data"] as? String ?? "*"))
            #expect(index == parts - 1 || piece.count == part)
            whole += piece
        }
        let digest = SHA256Digest(of: [UInt8](whole)).hex
        #expect(frames.allSatisfy { $0["caption"] as? String == "bytes=\(whole.count) sha256=\(digest)" })
        return whole
    }

    @Test func `photos of every size come in right parts with size and digest`() throws {
        let bench = try GatewayBench(["moods": "none", "edits": "0"])
        let socket = bench.connect()
        for size in [0, 1, 8, 9, 10, 1000, 65_544, 3_145_727, 3_145_729, 3_145_737, 6_291_461] {
            bench.forget(socket)
            bench.say(socket, "send photo \(size)")
            #expect(try Self.assemble(bench.frames(socket, "media")).count == size)
        }
        #expect(bench.total("photos", "sent") == 11 && bench.total("photos", "bytes") == 15_795_226)
    }

    @Test func `no two photos are the same, and slashes may be escaped`() throws {
        let bench = try GatewayBench(["escape-slashes": "true"])
        let socket = bench.connect()
        var photos: Set<Data> = []
        for _ in 0..<2 {
            bench.forget(socket)
            bench.say(socket, "send photo 3000")
            photos.insert(try Self.assemble(bench.frames(socket, "media")))
            #expect(bench.sent[socket]?.contains { $0.contains(#"\/"#) && !$0.replacing(#"\/"#, with: "").contains("/") } == true)
        }
        #expect(photos.count == 2)
    }

    @Test func `a photo is never larger than the file limit`() throws {
        let bench = try GatewayBench(["file-limit": "1MiB"])
        let socket = bench.connect()
        bench.say(socket, "send photo 999999999999")
        #expect(try Self.assemble(bench.frames(socket, "media")).count == 1 << 20)
    }

    @Test(arguments: [
        ("shuffle", [1, 0], 2), ("duplicate", [0, 0, 1], 2), ("missing", [0], 2), ("out_of_range", [1], 1), ("bad_base64", [0], 1),
    ])
    func `a fault shows in index and order`(fault: String, indices: [Int], parts: Int) throws {
        let bench = try GatewayBench(["photo-fault": fault])
        let socket = bench.connect()
        bench.say(socket, "send photo 100")
        let frames = bench.frames(socket, "media")
        #expect(frames.map { $0["part"] as? Int } == indices && frames.allSatisfy { $0["parts"] as? Int == parts })
        #expect((frames.last?["data"] as? String ?? "").count % 4 == 0)
        #expect((frames.last?["data"] as? String ?? "").hasPrefix("*") == (fault == "bad_base64"))
    }

    @Test func `the count of parts changes on demand`() throws {
        let bench = try GatewayBench(["photo-fault": "parts_changed"])
        let socket = bench.connect()
        bench.say(socket, "send photo 100")
        #expect(bench.frames(socket, "media").map { $0["parts"] as? Int } == [2, 3])
    }

    @Test func `unasked photos come in their period, by address if asked for`() throws {
        let bench = try GatewayBench(["send-photo-every": "10s", "photo-bytes": "1KiB..2KiB", "photo-by": "url"])
        bench.core.began(origin: "http://127.0.0.1:1", at: bench.now, wallSeconds: 0)
        let socket = bench.connect()
        bench.advance(.seconds(30))
        let frames = bench.frames(socket, "media")
        #expect(frames.count == 3 && frames.allSatisfy { $0["data"] == nil })
        let url = try #require(frames.first?["url"] as? String)
        let photo = try #require(bench.core.downloads.photo(at: String(url.trimmingPrefix("http://127.0.0.1:1"))))
        #expect(
            (1024...2048).contains(photo.length)
                && frames.first?["caption"] as? String == "bytes=\(photo.length) sha256=\(bench.core.photoSource.digest(of: photo).hex)")
        #expect(bench.core.downloads.photo(at: "/media/none") == nil)
    }

    @Test func `the shelf keeps the latest photos only`() {
        var shelf = PhotoShelf()
        var random = SeededRandom(seed: 1)
        let ids = (0...PhotoShelf.limit).map { _ in UUIDBits(&random) }
        for (number, id) in ids.enumerated() { shelf.add(PhotoSource.Photo(length: 1, number: number), id) }
        #expect(shelf.photo(at: "/media/\(ids[0].text)") == nil)
        #expect(shelf.photo(at: "/media/\(ids[1].text)")?.number == 1)
        #expect(shelf.photo(at: "/media/\(ids[PhotoShelf.limit].text)")?.number == PhotoShelf.limit)
    }
}
