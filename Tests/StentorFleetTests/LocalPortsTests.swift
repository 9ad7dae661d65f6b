import Foundation
import StentorBase
import StentorLoop
import TestSupport
import Testing

@testable import StentorFleet

@Suite struct LocalPortsTests {
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 23456 1 0000000000000000 100 0 0 10 0
           1: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 23457 1 0000000000000000 20 4 30 10 -1
           2: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 23458 1 0000000000000000 20 4 30 10 -1
           3: 0200007F:9C41 0100007F:1F90 06 00000000:00000000 03:00000A2B 00000000     0        0 0 3 0000000000000000
           4: 0100007F:9C42 0100007F:1F91 01 00000000:00000000 00:00000000 00000000     0        0 23459 1 0000000000000000 20 4 30 10 -1
           5: 0100007F:0050 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 23460 1 0000000000000000 20 4 30 10 -1

        """

    private static func count(_ text: String, pieces: Int) -> Int {
        var count = SocketCount(local: 40_000...40_010, remote: 8080)
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            bytes[start..<min(bytes.count, start + pieces)].withUnsafeBytes { count.take($0) }
        }
        return count.sockets
    }

    @Test(arguments: [1, 2, 3, 7, 64, 100_000])
    func `sockets to the target's port are counted, in whatever state, with ports of the range`(pieces: Int) {
        #expect(Self.count(Self.table, pieces: pieces) == 2)
        let v6 = Self.table.replacing("0100007F:", with: "00000000000000000000000001000000:")
        #expect(Self.count(v6, pieces: pieces) == 2)
    }

    @Test(arguments: [("", 0), ("8080", 0), ("40000", 1), ("39990-40001,40005,40010-50000", 4), ("x,7-", 0), ("\n", 0)])
    func `reserved ports are counted within the range`(list: String, count: Int) {
        #expect(LocalPorts.count(of: list, in: 40_000...40_010) == count)
    }

    @Test func `each source address has all ports of its own`() {
        let ports = LocalPorts(range: 40_000...40_099, reservedCount: 10)
        #expect(ports.total(addresses: 0) == 90 && ports.total(addresses: 1) == 90 && ports.total(addresses: 3) == 270)
    }

    @Test func `connections of this machine to one port are taken, and no others`() async throws {
        let ports = try #require(LocalPorts.ofThisMachine())
        try await onLoop { loop in
            var accepted: [ByteStream] = []
            let listener = try Listener(loop: loop, host: "127.0.0.1", port: 0) { accepted.append($0) }
            let port = Int(listener.port)
            let before = try #require(ports.left(addresses: 1, towards: port))
            let target = DialTarget(host: "127.0.0.1", port: listener.port)
            var streams: [ByteStream] = []
            for _ in 0..<5 {
                let dial = Dial(loop: loop, resolver: Resolver(), target: target)
                streams.append(try await dial.connect(until: loop.now + .seconds(20)))
            }
            #expect(ports.left(addresses: 1, towards: port) == before - 5)
            for stream in streams + accepted { stream.close() }
            listener.close()
        }
    }
}
