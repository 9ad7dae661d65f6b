import Foundation
import StentorBase
import StentorLoop
import StentorMetrics
import TestSupport
import Testing

@testable import StentorScrape

struct ScrapeServerTests {
    private static func line(_ sent: Int) -> String { "\nstentor_messages_sent_total{profile=\"p\",site=\"a\\\"b\"} \(sent)\n" }

    @Test func `the newest set is served, whole and with the labels, on one connection for all scrapes`() async throws {
        try await withServer { loop, server in
            let peer = try await ScrapePeer(loop, server)
            let early = try await peer.ask()
            #expect(early.status == 503 && early.text == "the run has no numbers yet\n")
            for sent in [3, 5] {
                server.show(snapshot(sent: sent))
                let answer = try await peer.ask()
                #expect(answer.status == 200 && answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
                #expect(answer.fields["connection"] == "keep-alive" && answer.fields["content-encoding"] == nil)
                #expect(answer.text.contains(Self.line(sent)))
                #expect(answer.body == PrometheusText.render(snapshot(sent: sent), labels: [("profile", "p"), ("site", "a\"b")]))
            }
        }
    }

    @Test func `HEAD declares what GET sends`() async throws {
        try await withServer { loop, server in
            server.show(snapshot(sent: 1))
            let peer = try await ScrapePeer(loop, server)
            let head = try await peer.ask("HEAD /metrics HTTP/1.1")
            let whole = try await peer.ask()
            #expect(head.status == 200 && head.body.isEmpty && head.fields == whole.fields)
            #expect(head.fields["content-length"] == String(whole.body.count))
        }
    }

    @Test func `what is not asked for well is refused in words, and the connection ends`() async throws {
        try await withServer { loop, server in
            server.show(snapshot(sent: 1))
            for (line, status) in [("GET /other HTTP/1.1", 404), ("PUT /metrics HTTP/1.1", 405), ("nonsense", 400)] {
                let peer = try await ScrapePeer(loop, server)
                let answer = try await peer.ask(line)
                #expect(answer.status == status && !answer.text.isEmpty, "\(line)")
                #expect(answer.fields["allow"] == (status == 405 ? "GET, HEAD" : nil) && answer.fields["connection"] == "close")
                #expect(await peer.awaitEnd())
            }
        }
    }

    @Test func `gzip holds the same set, and is sent only to who takes it`() async throws {
        let (packed, plain) = try await withServer { loop, server in
            server.show(snapshot(sent: 7))
            let peer = try await ScrapePeer(loop, server)
            let packed = try await peer.ask("GET /metrics HTTP/1.1", "Accept-Encoding: gzip")
            let plain = try await peer.ask("GET /metrics HTTP/1.1", "Accept-Encoding: gzip;q=0")
            #expect(packed.fields["content-encoding"] == "gzip" && packed.fields["vary"] == "Accept-Encoding")
            #expect(plain.fields["content-encoding"] == nil && plain.fields["vary"] == "Accept-Encoding")
            return (packed.body, plain.text)
        }
        #expect(packed.count < plain.utf8.count / 5)
        let folder = try FreshDirectory()
        try Data(packed).write(to: URL(fileURLWithPath: folder.path("set.gz")))
        let outcome = try await ChildProcess.run(["gzip", "-dc", folder.path("set.gz")])
        #expect(outcome.exitCode == 0 && outcome.output == plain)
    }

    @Test func `many scrapers at once get whole sets`() async throws {
        try await withServer { loop, server in
            server.show(snapshot(sent: 1))
            var peers: [ScrapePeer] = []
            for _ in 0..<20 { peers.append(try await ScrapePeer(loop, server)) }
            for round in 2...4 {
                server.show(snapshot(sent: round))
                for peer in peers { peer.send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n") }
                for peer in peers {
                    let answer = try await peer.answer()
                    #expect(answer.text.contains(Self.line(round)))
                    peer.forget()
                }
            }
        }
    }

    @Test func `connections that say nothing, or half a request, keep no scraper out`() async throws {
        try await withServer { loop, server in
            server.show(snapshot(sent: 1))
            var idle: [ScrapePeer] = []
            for index in 0..<(ScrapeDesk.connectionLimit + 10) {
                let peer = try await ScrapePeer(loop, server)
                if index.isMultiple(of: 2) { peer.send("GET /metr") }
                idle.append(peer)
            }
            let peer = try await ScrapePeer(loop, server)
            #expect(try await peer.ask().status == 200)
            // At least those that are over the limit were cut for others.
            for old in idle.prefix(10) { #expect(await old.awaitEnd()) }
        }
    }

    @Test func `the end of a run waits for those who scraped it, and for nobody else`() async throws {
        try await withServer { loop, server in
            server.show(snapshot(sent: 1))
            let silent = try await ScrapePeer(loop, server)
            let scraper = try await ScrapePeer(loop, server)
            server.showLast(snapshot(sent: 9))
            #expect(await server.awaitLastScrape(within: .seconds(60)), "nobody has scraped")

            #expect(try await scraper.ask().text.contains(Self.line(9)))
            #expect(await server.awaitLastScrape(within: .seconds(60)), "the only scraper has the end")
            silent.close()
        }
    }

    @Test func `the wait ends when the last set was fetched`() async throws {
        try await withServer { loop, server in
            server.show(snapshot(sent: 1))
            let scraper = try await ScrapePeer(loop, server)
            #expect(try await scraper.ask().text.contains(Self.line(1)))
            server.showLast(snapshot(sent: 9))
            async let isServed = server.awaitLastScrape(within: .seconds(60))
            #expect(try await scraper.ask().text.contains(Self.line(9)))
            #expect(await isServed)
        }
    }

    @Test func `the wait can be given up, and is bounded`() async throws {
        try await withServer { loop, server in
            server.show(snapshot(sent: 1))
            let scraper = try await ScrapePeer(loop, server)
            #expect(try await scraper.ask().status == 200)
            server.showLast(snapshot(sent: 9))
            #expect(await !server.awaitLastScrape(within: .milliseconds(10)))
            async let isServed = server.awaitLastScrape(within: .seconds(600))
            // Before the wait, or while it lasts.
            server.giveUp()
            #expect(await !isServed)
        }
    }

    @Test func `an address that is taken is refused with its place`() async throws {
        try await withServer { _, server in
            let port = UInt16(server.url.split(separator: ":").last?.prefix { $0.isNumber } ?? "") ?? 0
            let failure = await #expect(throws: UserFailure.self) { _ = try await ScrapeServer.start(host: "127.0.0.1", port: port) }
            #expect(
                failure?.place == "--metrics-listen" && failure?.message == "cannot listen on 127.0.0.1:\(port): Address already in use")
        }
    }
}
