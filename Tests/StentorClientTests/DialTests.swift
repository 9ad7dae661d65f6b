import Foundation
import StentorBase
import StentorClient
import StentorLoop
import TestSupport
import Testing

@Suite struct `Dialling and upgrading` {
    @Test func `asks for the path, host and headers that were given, and for what the RFC wants`() async throws {
        let (failure, lines) = try await onLoop { loop in
            let exchange = try Exchange(loop)
            let failure = await exchange.open()
            return (failure, exchange.server.request.components(separatedBy: "\r\n"))
        }
        #expect(failure == nil)
        #expect(lines.first == "GET /ws?token=a%2Bb HTTP/1.1")
        for line in ["Host: gw.test:8787", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "X-Run: seven"] {
            #expect(lines.contains { $0.lowercased() == line.lowercased() }, "\(line)")
        }
    }

    @Test func `takes an answer that comes byte by byte`() async throws {
        let (failure, heard) = try await onLoop { loop in
            let exchange = try Exchange(loop) { server in
                let answer = server.switching()
                let step = max(1, answer.count / 20)
                server.say(pieces: stride(from: 0, to: answer.count, by: step).map { Array(answer[$0..<min(answer.count, $0 + step)]) })
            }
            return (await exchange.open(), exchange.client.heard)
        }
        #expect(failure == nil)
        #expect(heard == [.opened])
    }

    @Test func `takes a first frame, and the start of a second, in the segment of the answer`() async throws {
        let heard = try await onLoop { loop in
            let exchange = try Exchange(loop) { server in
                server.say(pieces: [server.switching() + serverFrame(0x81, Array("ready".utf8)) + [0x81, 2, 0x68], [0x69]])
            }
            _ = await exchange.open()
            return await exchange.heard(3)
        }
        #expect(heard == [.opened, .text("ready"), .text("hi")])
    }

    @Test func `what is sent when it opens goes out before the answer to a first frame`() async throws {
        let frames = try await onLoop { loop in
            let exchange = try Exchange(loop) { $0.say($0.switching() + serverFrame(0x89, [1])) }
            exchange.client.onOpen = { $0.send(.text, Array("hello".utf8)) }
            _ = await exchange.open()
            return await exchange.frames(2)
        }
        #expect(frames.map(\.first) == [0x81, 0x8A])
        #expect(frames.first?.text == "hello")
    }

    @Test(
        arguments: [
            ("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", DialCause.httpStatus, 503, 7),
            ("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno", .httpStatus, 404, nil),
            ("HTTP/1.1 301 Moved Permanently\r\nLocation: /\r\n\r\n", .httpStatus, 301, nil),
            ("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", .refusedByServer, 401, nil),
            ("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", .refusedByServer, 403, nil),
            ("SSH-2.0-OpenSSH_9.2p1\r\n\r\n", .badUpgrade, nil, nil),
            ("\u{0}\u{1}\u{2}\r\n\r\n", .badUpgrade, nil, nil),
        ] as [(String, DialCause, Int?, Int?)])
    func `tells an answer that is no upgrade by its cause`(answer: String, cause: DialCause, status: Int?, retryAfter: Int?) async throws {
        let (failure, heard) = try await onLoop { loop in
            let exchange = try Exchange(loop) { $0.say(answer) }
            let failure = await exchange.open()
            await exchange.watch.until { exchange.server.end != nil }
            return (failure, exchange.client.heard)
        }
        #expect(failure?.cause == cause && failure?.httpStatus == status && failure?.retryAfterSeconds == retryAfter)
        #expect(heard.isEmpty)
    }

    @Test(arguments: ["AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="])
    func `refuses a wrong proof, also the one of the RFC's own example`(accept: String) async throws {
        let cause = try await onLoop { loop in
            try await Exchange(loop) { $0.say($0.switching(accept: accept)) }.open()?.cause
        }
        #expect(cause == .badAccept)
    }

    @Test func `refuses an extension that was not asked for`() async throws {
        let cause = try await onLoop { loop in
            try await Exchange(loop) { $0.say($0.switching("Sec-WebSocket-Extensions: permessage-deflate\r\n")) }.open()?.cause
        }
        #expect(cause == .badUpgrade)
    }

    @Test func `a port nobody listens on is refused`() async throws {
        let cause = try await onLoop { loop in
            let exchange = try Exchange(loop)
            let port = exchange.server.port
            exchange.server.stopListening()
            let request = WebSocketConnection.Request(
                target: DialTarget(host: "127.0.0.1", port: port), path: "/", host: "x", headers: [])
            do throws(DialFailure) {
                try await exchange.connection.open(request, index: 0, until: .now() + .seconds(10))
                return nil as DialCause?
            } catch { return error.cause }
        }
        #expect(cause == .refused)
    }

    @Test(arguments: [false, true])
    func `a peer that closes or resets before it answers has closed`(isReset: Bool) async throws {
        let cause = try await onLoop { loop in
            try await Exchange(loop) { server in
                if isReset { server.stream?.reset() } else { server.stream?.close() }
            }.open()?.cause
        }
        #expect(cause == .closed)
    }

    @Test func `a peer that closes in the middle of its answer has closed`() async throws {
        let cause = try await onLoop { loop in
            try await Exchange(loop) { server in
                server.say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: webs")
                server.stream?.finish()
            }.open()?.cause
        }
        #expect(cause == .closed)
    }

    @Test func `an answer that does not come in time is a timeout, and one that comes later is not heard`() async throws {
        let (failure, heard, end) = try await onLoop { loop in
            let exchange = try Exchange(loop) { _ in }
            let failure = await exchange.open(within: .milliseconds(30))
            exchange.server.say(exchange.server.switching())
            await exchange.watch.until { exchange.server.end != nil }
            return (failure, exchange.client.heard, exchange.server.end)
        }
        #expect(failure?.cause == .upgradeTimeout)
        #expect(heard.isEmpty)
        #expect(end != nil)
    }

    @Test func `abandoned while it upgrades, it is cancelled and the stream is closed`() async throws {
        let (failure, heard, end) = try await onLoop { loop in
            let box = LoopBox(Holder())
            let exchange = try Exchange(loop) { server in
                box.value.connection?.abandon()
                server.say(server.switching())
            }
            box.value.connection = exchange.connection
            let failure = await exchange.open()
            await exchange.watch.until { exchange.server.end != nil }
            return (failure, exchange.client.heard, exchange.server.end)
        }
        #expect(failure?.cause == .cancelled)
        #expect(heard.isEmpty)
        #expect(end != nil)
    }

    @Test func `abandoned before it dials, it asks for nothing`() async throws {
        let (cause, request) = try await onLoop { loop in
            let exchange = try Exchange(loop)
            exchange.connection.abandon()
            let cause = await exchange.open()?.cause
            return (cause, exchange.server.request)
        }
        #expect(cause == .cancelled)
        #expect(request.isEmpty)
    }

    @Test func `opened once more while it dials, upgrades, is open or closes, it refuses, and the first opening goes on`() async throws {
        let (causes, heard) = try await onLoop { loop in
            let box = LoopBox(Holder())
            let exchange = try Exchange(loop) { server in
                box.value.openAgain()
                server.say(server.switching())
            }
            box.value.connection = exchange.connection
            box.value.request = exchange.request
            exchange.connection.open(exchange.request, index: 0, until: .now() + .seconds(10)) { _ in }
            box.value.openAgain()
            await exchange.watch.until { exchange.connection.isOpen }
            box.value.openAgain()
            exchange.connection.close(code: 1001)
            box.value.openAgain()
            return (box.value.causes, await exchange.frames(1).map(\.first))
        }
        #expect(causes == [.alreadyOpen, .alreadyOpen, .alreadyOpen, .alreadyOpen])
        #expect(heard == [0x88], "the close frame of the one connection that there is")
    }

    @Test func `no failure shows the token`() async throws {
        let texts = try await onLoop { loop in
            var texts: [String] = []
            for answer in ["HTTP/1.1 401 No\r\n\r\n", "nonsense\r\n\r\n", "HTTP/1.1 101 x\r\n\r\n"] {
                let failure = try await Exchange(loop) { $0.say(answer) }.open()
                texts.append("\(failure.map { "\($0)" } ?? "none")")
            }
            return texts
        }
        #expect(texts.count == 3)
        #expect(texts.allSatisfy { !$0.contains("a%2Bb") && !$0.contains("a+b") && $0 != "none" })
    }
}

private final class Holder {
    var connection: WebSocketConnection?
    var request: WebSocketConnection.Request?
    var causes: [DialCause?] = []

    /// Tries to open the connection that is under way already.
    func openAgain() {
        guard let connection, let request else { return }
        connection.open(request, index: 0, until: .now() + .seconds(10)) { self.causes.append($0?.cause) }
    }
}
