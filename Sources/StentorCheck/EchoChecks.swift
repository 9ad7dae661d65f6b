import StentorClient
import StentorWire

/// The points of the echo dialect.
enum EchoChecks {
    static let all = [CommonChecks.ping, CommonChecks.close(1000), greeting, texts, pieces, order, binary]

    /// A connection behind the greeting, if there is one.
    private static func connect(_ bench: CheckBench) async throws(CheckFault) -> CheckPeer {
        let peer = try await bench.connect()
        _ = await peer.quiet(for: bench.target.quiet)
        peer.forget()
        return peer
    }

    private static let greeting = CheckPoint.rule("nothing comes unasked but one 'Request served by …'") { (bench) throws(CheckFault) in
        let peer = try await bench.connect()
        let came = await peer.quiet(for: bench.target.quiet)
        guard let first = came.first else { return "nothing" }
        try expect(came.count == 1, "\(came.count) messages")
        try expect(first.kind == .text && first.text.hasPrefix("Request served by "), first.shown)
        return first.shown
    }

    private static let texts = CheckPoint.rule("texts come back unchanged, as texts") { (bench) throws(CheckFault) in
        let peer = try await connect(bench)
        let texts = [
            "hello", CommonChecks.unusual, "", #"{"t":"text"}"#, "Request served by me", String(repeating: "x", count: 65536),
            String(repeating: "é", count: 600_000),
        ]
        for text in texts {
            peer.forget()
            peer.send(text)
            let reply = try await peer.until("echo of \(CheckText.short(text))") { _ in true }
            try expect(reply.kind == .text, "a binary message for \(CheckText.short(text))")
            try expect(reply.bytes == Array(text.utf8), "\(reply.shown) for \(CheckText.short(text))")
        }
        return "\(texts.count) texts of 0 to 1,200,000 bytes"
    }

    private static let pieces = CheckPoint.rule("many texts at once come back") { (bench) throws(CheckFault) in
        let peer = try await connect(bench)
        for number in 0..<200 { peer.send("[#\(number)] " + String(repeating: "y", count: number * 50)) }
        _ = try await peer.until("the last of 200") { CommonChecks.marker(in: $0.text) == 199 }
        try expect(peer.since.count == 200, "\(peer.since.count) of 200")
        return "200 of 200"
    }

    private static let order = CheckPoint.rule("twelve texts come back once, in order") { (bench) throws(CheckFault) in
        let peer = try await connect(bench)
        return try await CommonChecks.inOrder(12, [peer], quiet: bench.target.quiet) {
            peer.send("text [#\($0)]")
        } number: {
            CommonChecks.marker(in: $0.text)
        }
    }

    private static let binary = CheckPoint.custom("a binary message comes back as one") { (bench) throws(CheckFault) in
        let peer = try await connect(bench)
        peer.send([0, 0xFF, 1], .binary)
        let reply = try await peer.until("echo") { _ in true }
        try expect(reply.kind == .binary && reply.bytes == [0, 0xFF, 1], reply.shown)
        return "3 bytes"
    }
}
