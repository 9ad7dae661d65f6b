import Foundation
import StentorBase
import StentorDialect
import StentorWire
import Testing

/// Some bytes that differ by seed.
private func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
}

/// A media frame as Foundation writes it: slashes escaped, keys in the given order.
private func part(
    _ id: String, _ index: Int?, of parts: Int?, _ data: [UInt8], caption: String? = nil,
    order: [String] = ["t", "id", "part", "parts", "data"]
) -> [UInt8] {
    var members = ["t": #""media""#, "id": "\"\(id)\"", "kind": #""document""#]
    members["data"] = "\"" + Data(data).base64EncodedString().replacing("/", with: "\\/") + "\""
    if let index { members["part"] = "\(index)" }
    if let parts { members["parts"] = "\(parts)" }
    if let caption { members["caption"] = "\"\(caption)\"" }
    let keys = order + members.keys.filter { !order.contains($0) }.sorted()
    return Array(("{" + keys.compactMap { key in members[key].map { "\"\(key)\":\($0)" } }.joined(separator: ",") + "}").utf8)
}

private func caption(_ file: [UInt8]) -> String {
    "bytes=\(file.count) sha256=\(SHA256Digest(of: file).hex)"
}

private func ended(_ id: String, _ outcome: DownloadOutcome, _ bytes: Int, at first: Int64 = 0) -> DeviceFact {
    .downloadEnded(id: id, outcome: outcome, bytes: bytes, firstPartAt: ms(first))
}

struct HermesDownloadTests {
    @Test func `a file in one part is complete, and verified by its caption`() {
        let file = content(1000)
        let verified = HermesDriver().receive(part("f", 0, of: 1, file, caption: caption(file)), at: 5)
        #expect(verified == [.downloadBegan(id: "f"), ended("f", .complete(verified: true), 1000, at: 5)])
        let plain = HermesDriver().receive(part("f", nil, of: nil, file))
        #expect(plain == [.downloadBegan(id: "f"), ended("f", .complete(verified: false), 1000)])
        let empty = HermesDriver().receive(part("f", 0, of: 1, [], caption: caption([])))
        #expect(empty == [.downloadBegan(id: "f"), ended("f", .complete(verified: true), 0)])
    }

    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func `parts in any order make the file, streamed or whole`(order: [Int]) {
        let file = content(250)
        for piece in [nil, 1, 7, 64, 4096] {
            let driver = HermesDriver()
            var facts: [DeviceFact] = []
            for (step, index) in order.enumerated() {
                let frame = part("f", index, of: 3, Array(file[index * 100..<min(250, index * 100 + 100)]), caption: caption(file))
                facts += piece.map { driver.stream(frame, piece: $0, at: Int64(step)) } ?? driver.receive(frame, at: Int64(step))
            }
            #expect(facts == [.downloadBegan(id: "f"), ended("f", .complete(verified: true), 250)])
        }
    }

    @Test func `keys in any order give the same`() {
        let file = content(120)
        let keys = ["t", "id", "part", "parts", "data"]
        for order in permutations(keys) {
            let driver = HermesDriver()
            let first = driver.stream(part("f", 0, of: 2, Array(file[..<60]), order: order), piece: 13)
            let second = driver.stream(part("f", 1, of: 2, Array(file[60...]), caption: caption(file), order: order), piece: 13, at: 9)
            #expect(first + second == [.downloadBegan(id: "f"), ended("f", .complete(verified: true), 120)], "\(order)")
        }
    }

    @Test func `a whole part of three MiB streams through`() {
        let file = content(HermesEncoder.partBytes)
        let facts = HermesDriver().stream(part("f", 0, of: 1, file, caption: caption(file)), piece: 65536)
        #expect(facts == [.downloadBegan(id: "f"), ended("f", .complete(verified: true), HermesEncoder.partBytes)])
    }

    // MARK: Duplicates

    @Test(arguments: [nil, 11])
    func `a duplicate of the last hashed part replaces it and counts once`(piece: Int?) {
        let file = content(200)
        let driver = HermesDriver()
        func send(_ index: Int, _ data: [UInt8]) -> [DeviceFact] {
            let frame = part("f", index, of: 3, data, caption: caption(file))
            return piece.map { driver.stream(frame, piece: $0) } ?? driver.receive(frame)
        }
        #expect(send(0, Array(file[..<100])) == [.downloadBegan(id: "f")])
        #expect(send(1, content(70, seed: 9)) == [])
        #expect(send(1, Array(file[100..<150])) == [])
        #expect(send(2, Array(file[150...])) == [ended("f", .complete(verified: true), 200)])
    }

    @Test func `a duplicate of a part that waits replaces it`() {
        let file = content(200)
        let driver = HermesDriver()
        _ = driver.receive(part("f", 1, of: 2, content(100, seed: 9)))
        _ = driver.receive(part("f", 1, of: 2, Array(file[100...])))
        #expect(
            driver.receive(part("f", 0, of: 2, Array(file[..<100]), caption: caption(file))) == [ended("f", .complete(verified: true), 200)]
        )
    }

    @Test func `an equal duplicate of an earlier part counts once, another spoils the file`() {
        let file = content(300)
        for (again, isSame) in [(Array(file[..<100]), true), (content(100, seed: 9), false), (Array(file[..<99]), false)] {
            let driver = HermesDriver()
            _ = driver.receive(part("f", 0, of: 3, Array(file[..<100])))
            _ = driver.receive(part("f", 1, of: 3, Array(file[100..<200])))
            let facts = driver.receive(part("f", 0, of: 3, again))
            #expect(facts == (isSame ? [] : [ended("f", .corrupt(.duplicateDiffers), 200)]))
            let last = driver.receive(part("f", 2, of: 3, Array(file[200...]), caption: caption(file)))
            #expect(last == (isSame ? [ended("f", .complete(verified: true), 300)] : []))
        }
    }

    @Test func `what comes for a complete file is ignored`() {
        let driver = HermesDriver()
        _ = driver.receive(part("f", 0, of: 1, content(10)))
        #expect(driver.receive(part("f", 0, of: 1, content(10))) == [])
        #expect(driver.stream(part("f", 0, of: 1, content(10)), piece: 9) == [])
        #expect(driver.deadline == nil)
    }

    // MARK: Faults

    @Test func `bad base64 spoils the file and the rest of it is ignored`() {
        for data in ["AAE", "AA=A", "A A=", "AA==AA==", "_w=="] {
            let frame = Array(#"{"t":"media","id":"f","part":1,"parts":3,"data":"\#(data)"}"#.utf8)
            for piece in [nil, 3] {
                let driver = HermesDriver()
                _ = driver.receive(part("f", 0, of: 3, content(10)))
                let facts = piece.map { driver.stream(frame, piece: $0) } ?? driver.receive(frame)
                #expect(facts == [ended("f", .corrupt(.badBase64), 10)])
                #expect(driver.receive(part("f", 2, of: 3, content(10))) == [])
                #expect(driver.deadline == nil)
            }
        }
    }

    @Test(arguments: [(3, 3), (-1, 3), (0, 0), (0, -1), (0, 1_000_000_000), (Int.max, Int.max)])
    func `an impossible index spoils the file`(index: Int, parts: Int) {
        let facts: [DeviceFact] = [.downloadBegan(id: "f"), ended("f", .corrupt(.partOutOfRange), 0)]
        #expect(HermesDriver().receive(part("f", index, of: parts, content(9))) == facts)
        #expect(HermesDriver().stream(part("f", index, of: parts, content(9)), piece: 5) == facts)
        #expect(HermesDriver().stream(part("f", index, of: parts, content(9), order: ["data"]), piece: 5) == facts)
    }

    @Test func `a number of parts that changes spoils the file`() {
        let driver = HermesDriver()
        _ = driver.receive(part("f", 0, of: 3, content(10)))
        #expect(driver.stream(part("f", 1, of: 2, content(10)), piece: 8) == [ended("f", .corrupt(.partsChanged), 10)])
        #expect(driver.receive(part("f", 2, of: 3, content(10))) == [])
    }

    @Test func `another size or digest than the caption's is corrupt`() {
        let file = content(100)
        let wrongSize = "bytes=99 sha256=\(SHA256Digest(of: file).hex)"
        let wrongDigest = "a photo, bytes=100 sha256=\(SHA256Digest(of: content(100, seed: 2)).hex)"
        #expect(HermesDriver().receive(part("f", 0, of: 1, file, caption: wrongSize)).last == ended("f", .corrupt(.sizeMismatch), 100))
        #expect(HermesDriver().receive(part("f", 0, of: 1, file, caption: wrongDigest)).last == ended("f", .corrupt(.digestMismatch), 100))
        #expect(HermesDriver().receive(part("f", 0, of: 1, file, caption: "bytes=99")).last == ended("f", .complete(verified: false), 100))
    }

    @Test func `a file without progress times out`() {
        let driver = HermesDriver()
        _ = driver.receive(part("f", 0, of: 3, content(10)), at: 0)
        #expect(driver.deadline == 60_000)
        _ = driver.receive(part("f", 1, of: 3, content(10)), at: 40_000)
        #expect(driver.deadline == 100_000)
        _ = driver.streamBegin(part("f", 2, of: 3, content(10)), piece: 8, at: 90_000)
        #expect(driver.deadline == 150_000)
        #expect(driver.pass(to: 149_999) == [])
        #expect(driver.pass(to: 150_000) == [ended("f", .incomplete(.timeout), 20)])
        #expect(driver.deadline == nil)
    }

    @Test func `a lost connection ends half a file, unless it may go on`() {
        let file = content(20)
        let strict = HermesDriver()
        _ = strict.receive(part("f", 0, of: 2, Array(file[..<10])))
        #expect(strict.lose() == [ended("f", .incomplete(.connectionLost), 10)])
        strict.reconnect()
        #expect(strict.receive(part("f", 0, of: 2, Array(file[..<10]))) == [.downloadBegan(id: "f")])

        let lenient = HermesDriver { $0.continuesFilesOverReconnect = true }
        _ = lenient.receive(part("f", 0, of: 2, Array(file[..<10])))
        _ = lenient.streamBegin(part("f", 1, of: 2, content(10, seed: 3)).dropLast(4), piece: 5)
        #expect(lenient.lose() == [])
        lenient.reconnect()
        let rest = lenient.stream(part("f", 1, of: 2, Array(file[10...]), caption: caption(file)), piece: 6)
        #expect(rest == [ended("f", .complete(verified: true), 20)])
    }

    @Test func `a file over the bound of open files is not begun`() {
        let driver = HermesDriver { $0.openFileLimit = 2 }
        _ = driver.receive(part("a", 0, of: 2, content(10)))
        _ = driver.receive(part("b", 0, of: 2, content(10)))
        #expect(driver.receive(part("c", 0, of: 2, content(10))) == [.downloadBegan(id: "c"), ended("c", .incomplete(.tooManyOpen), 0)])
        #expect(driver.receive(part("c", 1, of: 2, content(10))) == [])
        #expect(driver.receive(part("a", 1, of: 2, content(10))) == [ended("a", .complete(verified: false), 20)])
        #expect(driver.receive(part("d", 0, of: 2, content(10))) == [.downloadBegan(id: "d")])
    }

    @Test func `a file over the size limit is given up`() {
        for order in [["t", "id", "part", "parts", "data"], ["data"]] {
            let driver = HermesDriver { $0.fileLimitBytes = 100 }
            _ = driver.receive(part("f", 0, of: 2, content(60)))
            #expect(driver.stream(part("f", 1, of: 2, content(41), order: order), piece: 9) == [ended("f", .corrupt(.tooLarge), 101)])
            let single = driver.stream(part("g", 0, of: 1, content(101), order: order), piece: 9)
            #expect(single == [.downloadBegan(id: "g"), ended("g", .corrupt(.tooLarge), 0)])
        }
    }

    @Test func `a frame whose end contradicts its beginning is malformed and leaves the file as it was`() {
        let file = content(20)
        let driver = HermesDriver()
        _ = driver.receive(part("f", 0, of: 2, Array(file[..<10])))
        let forged = Array(#"{"t":"media","id":"f","part":1,"parts":2,"data":"AAAA","part":0}"#.utf8)
        #expect(driver.stream(forged, piece: 10) == [.malformedFrame])
        #expect(driver.stream(part("f", 1, of: 2, content(5)).dropLast(), piece: 10) == [.malformedFrame])
        #expect(
            driver.receive(part("f", 1, of: 2, Array(file[10...]), caption: caption(file))) == [ended("f", .complete(verified: true), 20)])
    }

    @Test func `a file by address is counted by itself`() {
        let frame = #"{"t":"media","id":"f","kind":"video","url":"https://example.org/v.mp4"}"#
        #expect(HermesDriver().receive(frame, at: 3) == [.downloadBegan(id: "f"), ended("f", .byReference, 0, at: 3)])
        #expect(HermesDriver().stream(Array(frame.utf8), piece: 9).count == 2)
    }
}

/// All orders of the items.
private func permutations<Item>(_ items: [Item]) -> [[Item]] {
    guard items.count > 1 else { return [items] }
    return items.indices.flatMap { index in
        var rest = items
        let first = rest.remove(at: index)
        return permutations(rest).map { [first] + $0 }
    }
}
