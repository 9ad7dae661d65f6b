import Foundation
import StentorBase
import StentorLoop
import StentorWire
import Testing

@testable import StentorGateway

struct LoopbackTests {
    private static let tls = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/tls").standardized.path

    @Test func `a device is greeted, answered and told goodbye`() async throws {
        let (code, totals) = try await withGateway(["edits": "0"]) { loop, gateway in
            let peer = try await GatewayPeer.ready(loop, gateway)
            peer.say("hello [#1]")
            _ = await peer.until { peer.messages.contains { $0.contains("hello [#1]") } }
            peer.frame(.ping, [1, 2, 3])
            _ = await peer.until { peer.pongs == 1 }
            peer.close(1000)
            _ = await peer.until { peer.closeCode != nil && peer.end != nil }
            return peer.closeCode
        }
        #expect(code == 1000)
        #expect(totals.contains(#""closes": {"by_device": {"1000": 1}, "by_gateway": {}, "cut": 0}, "violations": {}}"#), "\(totals)")
        #expect(totals.contains(#""replies": {"sent": 1,"#) && totals.contains(#""connections": 1, "peak": 1,"#))
    }

    @Test func `bytes may come one by one, and messages in fragments`() async throws {
        let (texts, _) = try await withGateway(["edits": "0", "moods": "none"]) { loop, gateway in
            let peer = try await GatewayPeer(loop, port: gateway.port)
            #expect(try await peer.open(piecesOf: 1))
            let hello = #"{"t":"hello","v":1,"token":"t","device":{"id":"d","name":"n","platform":"p","app_version":"1"},"user":{}}"#
            let frame = WebSocketFrames.frame(.text, payload: Array(hello.utf8), maskKey: 0x0102_0304)
            try await peer.write(frame, piecesOf: 1)
            let text = Array(#"{"t":"text","id":"\#(UUID().uuidString)","text":"fragments 🐦"}"#.utf8)
            peer.frame(.text, isFinal: false, Array(text[..<9]))
            peer.frame(.ping, [])
            peer.frame(.continuation, isFinal: false, Array(text[9..<(text.count - 4)]))
            peer.frame(.continuation, Array(text[(text.count - 4)...]))
            _ = await peer.until { peer.messages.count == 2 }
            return peer.messages
        }
        #expect(texts.first == #"{"t":"ready"}"# && texts.last?.contains("fragments 🐦") == true)
    }

    @Test(arguments: [("/other", 404), ("/ws?token=bad", 401), ("/ws", 401)])
    func `an upgrade may be refused with a status`(target: String, status: Int) async throws {
        let (seen, totals) = try await withGateway(["refuse": "401", "token": "t"]) { loop, gateway in
            let peer = try await GatewayPeer(loop, port: gateway.port)
            _ = try await peer.open(target)
            _ = await peer.until { peer.end != nil }
            return peer.status
        }
        #expect(seen == status && totals.contains(#""connections": 0,"#))
        #expect(totals.contains(#""refused": {"http_401": 1}"#) == (status == 401))
    }

    @Test func `a message over the limit closes with 1009 though it is still coming`() async throws {
        let (code, totals) = try await withGateway(["message-limit": "64KiB"]) { loop, gateway in
            let peer = try await GatewayPeer.ready(loop, gateway)
            peer.send(String(repeating: "x", count: 4 << 20))
            _ = await peer.until { peer.end != nil }
            return peer.closeCode
        }
        #expect(code == 1009)
        #expect(totals.contains(#""by_gateway": {"1009": 1}"#) && totals.contains(#""violations": {"websocket_1009": 1}"#))
    }

    @Test func `a connection without a request is cut, an upgraded one stays`() async throws {
        let (isAnswered, _) = try await withGateway(["edits": "0"]) { loop, gateway in
            gateway.requestPatience = .milliseconds(20)
            let peer = try await GatewayPeer.ready(loop, gateway)
            let idle = try await GatewayPeer(loop, port: gateway.port)
            _ = await idle.until { idle.end != nil }
            peer.say("still here")
            return await peer.until { peer.messages.contains { $0.contains("still here") } || peer.end != nil } && peer.end == nil
        }
        #expect(isAnswered)
    }

    @Test func `an unmasked frame closes with 1002`() async throws {
        let (code, totals) = try await withGateway { loop, gateway in
            let peer = try await GatewayPeer.ready(loop, gateway)
            peer.stream.write(WebSocketFrames.frame(.text, payload: [0x20], maskKey: nil))
            _ = await peer.until { peer.end != nil }
            return peer.closeCode
        }
        #expect(code == 1002 && totals.contains(#""violations": {"websocket_1002": 1}"#))
    }

    @Test func `a photo of two parts arrives whole, and one by address too`() async throws {
        let size = 3_145_729
        let (digests, _) = try await withGateway(["edits": "0", "moods": "none"]) { loop, gateway in
            let peer = try await GatewayPeer.ready(loop, gateway)
            peer.say("send photo \(size)")
            _ = await peer.until { peer.messages.count { $0.contains(#""t":"media""#) } == 2 }
            var whole: [UInt8] = []
            var caption = ""
            for message in peer.messages where message.contains(#""t":"media""#) {
                let frame = try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: Any]
                whole += Data(base64Encoded: frame?["data"] as? String ?? "") ?? Data()
                caption = frame?["caption"] as? String ?? ""
            }
            return [caption, "bytes=\(whole.count) sha256=\(SHA256Digest(of: whole).hex)"]
        }
        #expect(digests[0] == digests[1] && digests[0].hasPrefix("bytes=\(size) "))

        let (downloads, _) = try await withGateway(["photo-by": "url", "edits": "0", "moods": "none"]) { loop, gateway in
            let peer = try await GatewayPeer.ready(loop, gateway)
            peer.say("send photo \(size)")
            _ = await peer.until { peer.messages.contains { $0.contains(#""t":"media""#) } }
            let message = peer.messages.first { $0.contains(#""t":"media""#) } ?? ""
            let frame = try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: Any]
            let url = frame?["url"] as? String ?? ""
            #expect(url.hasPrefix("http://127.0.0.1:\(gateway.port)/media/"))
            let download = try await GatewayPeer(loop, port: gateway.port)
            try await download.write(Array("GET \(url.suffix(43)) HTTP/1.1\r\nHost: h\r\n\r\n".utf8), piecesOf: .max)
            _ = await download.until { download.end != nil }
            let (head, photo) = try #require(Self.split(download.body))
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.contains("Content-Length: \(size)\r\n"))
            return [frame?["caption"] as? String ?? "", "bytes=\(photo.count) sha256=\(SHA256Digest(of: Array(photo)).hex)"]
        }
        #expect(downloads[0] == downloads[1])
    }

    @Test func `a device that does not read is not read from, and loses nothing`() async throws {
        let (seen, _) = try await withGateway(["edits": "0", "moods": "none"]) { loop, gateway in
            gateway.backlogLimitBytes = 64 << 10
            let peer = try await GatewayPeer.ready(loop, gateway)
            peer.stream.pauseReading()
            // 5.3 MiB of base64: more than the kernel takes for a reader that does not read.
            peer.say("send photo 4194304")
            peer.say("[#2]")
            let limit = Instant.now() + .seconds(10)
            while !gateway.totalsJSON().contains(#""photos": {"sent": 1"#), Instant.now() < limit {
                await loop.sleep(until: loop.now + .milliseconds(1))
            }
            for n in 3..<6 { peer.say("[#\(n)]") }
            for _ in 0..<20 { await loop.sleep(until: loop.now + .milliseconds(1)) }
            let textsMeanwhile = gateway.totalsJSON().contains(#""texts": 2,"#)
            peer.stream.resumeReading()
            _ = await peer.until { peer.messages.contains { $0.contains("[#5]") } }
            return [textsMeanwhile, peer.messages.count { $0.contains(#""t":"media""#) } == 2, peer.messages.count == 1 + 5 + 2]
        }
        #expect(seen == [true, true, true])
    }

    private static func split(_ response: [UInt8]) -> (String, ArraySlice<UInt8>)? {
        guard let border = response.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        return (String(decoding: response[..<border.upperBound], as: UTF8.self), response[border.upperBound...])
    }

    @Test func `an upload in small reads is confirmed`() async throws {
        // SHA-256 of a million letters a: FIPS 180-2, B.3.
        let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        let (isConfirmed, totals) = try await withGateway { loop, gateway in
            let peer = try await GatewayPeer.ready(loop, gateway)
            let data = Data(repeating: UInt8(ascii: "a"), count: 1_000_000).base64EncodedString()
            let head = #"{"t":"media","id":"\#(UUID().uuidString)","kind":"image","mime":"image/png","part":0,"parts":1,"data":""#
            peer.send(head + data + #""}"#)
            return await peer.until { peer.messages.contains { $0.contains("1000000 bytes, sha256 \(digest)") } }
        }
        #expect(isConfirmed && totals.contains(#""confirmed": 1,"#) && totals.contains(#""violations": {}"#))
    }

    @Test(arguments: ["close", "reset", "silence"])
    func `a restart ends connections as asked and comes back on its port`(how: String) async throws {
        let settings = ["down": "20ms", "restart-how": how, "edits": "0"]
        let (seen, totals) = try await withGateway(settings) { loop, gateway in
            let peer = try await GatewayPeer.ready(loop, gateway)
            let port = gateway.port
            gateway.restart()
            if how != "silence" { _ = await peer.until { peer.end != nil } }
            var again: GatewayPeer?
            let limit = Instant.now() + .seconds(10)
            while again == nil, Instant.now() < limit {
                if gateway.totalsJSON().contains(#""restarts": 1"#) { again = try? await GatewayPeer.ready(loop, gateway) }
                if again == nil { await loop.sleep(until: loop.now + .milliseconds(5)) }
            }
            #expect(gateway.port == port && again != nil)
            peer.say("into the void")
            return [peer.closeCode.map { "\($0)" } ?? "none", peer.end.map { "\($0)" } ?? "open"]
        }
        switch how {
        case "close": #expect(seen == ["1001", "endOfStream"])
        case "reset": #expect(seen[1].hasPrefix("failed"))
        default: #expect(seen == ["none", "open"] && totals.contains(#""texts": 0"#))
        }
        #expect(totals.contains(#""restarts": 1"#) && totals.contains(#""reconnect_gap_s": {"count": 1,"#))
    }

    @Test func `a drop is a reset`() async throws {
        let (end, totals) = try await withGateway(["drop-after": "5ms..10ms"]) { loop, gateway in
            let peer = try await GatewayPeer.ready(loop, gateway)
            _ = await peer.until { peer.end != nil }
            return peer.end
        }
        #expect(end == .failed(ECONNRESET))
        #expect(totals.contains(#""dropped": 1"#) && totals.contains(#""cut": 1"#))
    }

    @Test func `the end closes every connection with 1001`() async throws {
        let (peers, totals) = try await withGateway { loop, gateway in
            var peers: [GatewayPeer] = []
            for n in 0..<5 { peers.append(try await GatewayPeer.ready(loop, gateway, "dev-\(n)")) }
            let idle = try await GatewayPeer(loop, port: gateway.port)
            await gateway.stop()
            for peer in peers { _ = await peer.until { peer.end != nil } }
            _ = await idle.until { idle.end != nil }
            return peers.map(\.closeCode)
        }
        #expect(peers == [1001, 1001, 1001, 1001, 1001] && totals.contains(#""by_gateway": {"1001": 5}"#))
    }

    @Test func `it speaks TLS with a certificate`() async throws {
        let settings = ["tls-certificate": Self.tls + "/server.pem", "tls-key": Self.tls + "/server.key"]
        let (url, totals) = try await withGateway(settings) { loop, gateway in
            _ = try await GatewayPeer.ready(loop, gateway, tls: TLSContext.client(caFile: Self.tls + "/ca.pem"))
            return gateway.listeningText
        }
        #expect(url.hasPrefix("listening on wss://127.0.0.1:") && url.hasSuffix("/ws") && totals.contains(#""peak": 1"#))
    }

    @Test func `an address in use is told with its port`() async throws {
        let (failure, _) = try await withGateway { loop, gateway -> (UserFailure?, UInt16) in
            var options = GatewayOptions()
            options.port = gateway.port
            let second = try HermesGateway(options: options, loop: loop)
            do throws(UserFailure) {
                try second.start()
                return (nil, gateway.port)
            } catch {
                return (error, gateway.port)
            }
        }
        #expect(
            failure.0
                == UserFailure(
                    .machine, "cannot listen on 127.0.0.1:\(failure.1): Address already in use", place: "--listen",
                    hint: "port 0 takes a free one; the address must be one of this machine"))
    }
}
