import Foundation
import StentorBase
import StentorLoop
import TestSupport
import Testing

struct ByteStreamTests {
    private static let tls = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/tls").standardized.path

    @Test func `bytes, payloads and marks keep their order`() async throws {
        let (bytes, marks) = try await onLoop { loop in
            let pair = try await StreamPair.make(loop)
            let (here, there) = (Recorder(loop), Recorder(loop))
            try pair.dialled.attach(here)
            try pair.accepted.attach(there)
            let payload = SharedPayload(Array("0123456789".utf8))
            pair.dialled.write(Array("<".utf8))
            pair.dialled.mark(1)
            pair.dialled.write(payload, range: 2..<5)
            pair.dialled.write(Array("|".utf8))
            pair.dialled.write(payload, range: 0..<0)
            pair.dialled.mark(2)
            pair.dialled.write(Array(">".utf8))
            pair.dialled.mark(3)
            _ = await there.until { there.bytes.count == 6 }
            _ = await here.until { here.marks.count == 3 }
            return (there.bytes, here.marks)
        }
        #expect(String(decoding: bytes, as: UTF8.self) == "<234|>")
        #expect(marks == [1, 2, 3])
    }

    @Test func `a large payload is changed by position whatever the steps`() async throws {
        let size = 3 * 1024 * 1024 + 5
        let plain = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let bytes = try await onLoop { loop in
            let pair = try await StreamPair.make(loop)
            let (here, there) = (Recorder(loop), Recorder(loop))
            try pair.dialled.attach(here)
            try pair.accepted.attach(there)
            pair.dialled.write([7, 7, 7])
            pair.dialled.write(SharedPayload(plain), range: 1..<size) { source, target, done in
                for index in 0..<source.count { target[index] = source[index] ^ UInt8((index + done) % 7) }
            }
            pair.dialled.write([9])
            pair.dialled.mark(1)
            _ = await there.until { there.bytes.count == size + 3 }
            return there.bytes
        }
        let expected = [7, 7, 7] + (1..<size).map { plain[$0] ^ UInt8(($0 - 1) % 7) } + [9]
        #expect(bytes == expected)
    }

    @Test func `a paused reader holds the writer back and loses nothing`() async throws {
        let size = 16 * 1024 * 1024
        let (backlog, received) = try await onLoop { loop in
            let pair = try await StreamPair.make(loop)
            let (here, there) = (Recorder(loop), Recorder(loop))
            try pair.accepted.attach(there)
            pair.accepted.pauseReading()
            try pair.dialled.attach(here)
            pair.dialled.write(SharedPayload(Array(repeating: 1, count: size)), range: 0..<size)
            pair.dialled.mark(1)
            await loop.sleep(until: .now() + .milliseconds(20))
            let backlog = pair.dialled.backlogBytes
            pair.accepted.resumeReading()
            _ = await there.until { there.bytes.count == size }
            return (backlog, there.bytes.count)
        }
        #expect(backlog > 0)
        #expect(received == size)
    }

    @Test func `a reset and a close are told apart`() async throws {
        let (afterReset, afterClose) = try await onLoop { loop in
            let (first, second) = (try await StreamPair.make(loop), try await StreamPair.make(loop))
            let (one, two) = (Recorder(loop), Recorder(loop))
            try first.accepted.attach(one)
            try second.accepted.attach(two)
            first.dialled.reset()
            second.dialled.close()
            _ = await one.until { one.end != nil }
            _ = await two.until { two.end != nil }
            return (one.end, two.end)
        }
        #expect(afterReset == .failed(ECONNRESET))
        #expect(afterClose == .endOfStream)
    }

    @Test func `finish sends what is queued before the end of the stream`() async throws {
        let (count, end) = try await onLoop { loop in
            let pair = try await StreamPair.make(loop)
            let (here, there) = (Recorder(loop), Recorder(loop))
            try pair.dialled.attach(here)
            try pair.accepted.attach(there)
            pair.dialled.write(SharedPayload(Array(repeating: 5, count: 9_000_000)), range: 0..<9_000_000)
            pair.dialled.finish()
            _ = await there.until { there.end != nil }
            return (there.bytes.count, there.end)
        }
        #expect(count == 9_000_000)
        #expect(end == .endOfStream)
    }

    @Test func `bytes of the peer that come with its end are delivered first`() async throws {
        let (bytes, end) = try await onLoop { loop in
            let pair = try await StreamPair.make(loop)
            let (here, there) = (Recorder(loop), Recorder(loop))
            try pair.dialled.attach(here)
            pair.dialled.write([1, 2, 3])
            pair.dialled.mark(1)
            _ = await here.until { here.marks == [1] }
            pair.dialled.close()
            try pair.accepted.attach(there)
            _ = await there.until { there.end != nil }
            return (there.bytes, there.end)
        }
        #expect(bytes == [1, 2, 3])
        #expect(end == .endOfStream)
    }

    // MARK: - TLS

    @Test func `TLS carries large payloads both ways and a finish`() async throws {
        let size = 1_000_003
        let (there, here, end) = try await onLoop { loop in
            let server = try TLSContext.server(certificateFile: Self.tls + "/server.pem", keyFile: Self.tls + "/server.key")
            let client = try TLSContext.client(caFile: Self.tls + "/ca.pem")
            let pair = try await StreamPair.make(loop, serverTLS: server, clientTLS: client, serverName: "gw.test")
            let (here, there) = (Recorder(loop), Recorder(loop))
            try pair.dialled.attach(here)
            try pair.accepted.attach(there)
            let payload = SharedPayload((0..<size).map { UInt8(truncatingIfNeeded: $0) })
            pair.dialled.write(payload, range: 0..<size) { source, target, _ in target.copyMemory(from: source) }
            pair.accepted.write(payload, range: 0..<size)
            _ = await there.until { there.bytes.count == size }
            _ = await here.until { here.bytes.count == size }
            pair.dialled.finish()
            _ = await there.until { there.end != nil }
            return (there.bytes, here.bytes, there.end)
        }
        let expected = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        #expect(there == expected)
        #expect(here == expected)
        #expect(end == .endOfStream)
    }

    @Test(
        arguments: [
            (nil, "gw.test", false, DialCause.tlsVerification), ("ca.pem", "other.test", false, .tlsVerification),
            ("ca.pem", "gw.test", false, nil), ("ca.pem", "127.0.0.1", false, nil), ("ca.pem", "127.0.0.2", false, .tlsVerification),
            (nil, "other.test", true, nil),
        ] as [(String?, String, Bool, DialCause?)])
    func `a certificate is verified against authority and name unless told otherwise`(
        caFile: String?, name: String, isInsecure: Bool, expected: DialCause?
    ) async throws {
        let cause = try await onLoop { loop -> DialCause? in
            let server = try TLSContext.server(certificateFile: Self.tls + "/server.pem", keyFile: Self.tls + "/server.key")
            let client = try TLSContext.client(caFile: caFile.map { Self.tls + "/" + $0 }, isInsecure: isInsecure)
            let listener = try Listener(loop: loop, host: "127.0.0.1", port: 0, tls: server) { $0.close() }
            let target = DialTarget(host: "127.0.0.1", port: listener.port, tls: client, serverName: name)
            do throws(DialFailure) {
                try await Dial(loop: loop, resolver: Resolver(), target: target).connect(until: .now() + .seconds(10)).close()
                return nil
            } catch { return error.cause }
        }
        #expect(cause == expected)
    }

    @Test func `a peer that speaks no TLS, and one that says nothing, are told apart`() async throws {
        let causes = try await onLoop { loop -> [DialCause?] in
            let talker = try Listener(loop: loop, host: "127.0.0.1", port: 0) { stream in
                let recorder = Recorder(loop)
                try? stream.attach(recorder)
                stream.write(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
            }
            let silent = try Listener(loop: loop, host: "127.0.0.1", port: 0) { stream in try? stream.attach(Recorder(loop)) }
            var causes: [DialCause?] = []
            for listener in [talker, silent] {
                let target = DialTarget(host: "127.0.0.1", port: listener.port, tls: try TLSContext.client(caFile: nil))
                do throws(DialFailure) {
                    _ = try await Dial(loop: loop, resolver: Resolver(), target: target).connect(until: .now() + .milliseconds(100))
                    causes.append(nil)
                } catch { causes.append(error.cause) }
            }
            return causes
        }
        #expect(causes == [.tls, .tlsTimeout])
    }

    // MARK: - Dialling

    @Test func `a port nobody listens on is refused`() async throws {
        let failure = try await onLoop { loop -> DialFailure? in
            let listener = try Listener(loop: loop, host: "127.0.0.1", port: 0) { _ in }
            let port = listener.port
            listener.close()
            do throws(DialFailure) {
                _ = try await Dial(loop: loop, resolver: Resolver(), target: DialTarget(host: "127.0.0.1", port: port)).connect(
                    until: .now() + .seconds(5))
                return nil
            } catch { return error }
        }
        #expect(failure?.cause == .refused)
        #expect(failure?.detail.hasSuffix("Connection refused") == true)
    }

    @Test func `a name is tried at all its addresses`() async throws {
        let text = try await onLoop { loop -> String in
            let accepted = LoopPromise<ByteStream>(loop)
            let listener = try Listener(loop: loop, host: "127.0.0.1", port: 0) { accepted.fulfil($0) }
            let dial = Dial(loop: loop, resolver: Resolver(), target: DialTarget(host: "localhost", port: listener.port))
            let stream = try await dial.connect(until: .now() + .seconds(10))
            defer { stream.close() }
            return dial.times.dns != nil && dial.times.tcp != nil && dial.times.tls == nil ? "connected" : "\(dial.times)"
        }
        #expect(text == "connected")
    }

    @Test func `a name that cannot be resolved is a DNS failure`() async throws {
        let cause = try await onLoop { loop -> DialCause? in
            do throws(DialFailure) {
                _ = try await Dial(loop: loop, resolver: Resolver(), target: DialTarget(host: "no..such..name", port: 1)).connect(
                    until: .now() + .seconds(10))
                return nil
            } catch { return error.cause }
        }
        #expect(cause == .dns)
    }

    @Test func `a dial from a second loopback address comes from there`() async throws {
        let cause = try await onLoop { loop -> DialCause? in
            let listener = try Listener(loop: loop, host: "127.0.0.1", port: 0) { $0.close() }
            let sources = ["127.0.0.2", "192.0.2.1"].compactMap { SocketAddress(literal: $0, port: 0) }
            let target = DialTarget(host: "127.0.0.1", port: listener.port, sourceAddresses: sources)
            try await Dial(loop: loop, resolver: Resolver(), target: target, index: 0).connect(until: .now() + .seconds(5)).close()
            do throws(DialFailure) {
                _ = try await Dial(loop: loop, resolver: Resolver(), target: target, index: 1).connect(until: .now() + .seconds(5))
                return nil
            } catch { return error.cause }
        }
        #expect(cause == .portsExhausted)
    }

    @Test func `a cancelled dial ends at once`() async throws {
        let cause = try await onLoop { loop -> DialCause? in
            let listener = try Listener(loop: loop, host: "127.0.0.1", port: 0) { try? $0.attach(Recorder(loop)) }
            let target = DialTarget(host: "127.0.0.1", port: listener.port, tls: try TLSContext.client(caFile: nil))
            let dial = Dial(loop: loop, resolver: Resolver(), target: target)
            let timer = LoopTimer { dial.cancel() }
            loop.schedule(timer, at: loop.now + .milliseconds(10))
            do throws(DialFailure) {
                _ = try await dial.connect(until: .now() + .seconds(60))
                return nil
            } catch { return error.cause }
        }
        #expect(cause == .cancelled)
    }
}
