import StentorClient

/// Points that all WebSocket dialects share.
enum CommonChecks {
    /// RFC 6455 § 5.5.3.
    static let ping = CheckPoint.rule("a ping is answered by a pong with its payload") { (bench) throws(CheckFault) in
        let peer = try await bench.connect()
        peer.ping([1, 2, 3])
        let pong = try await peer.untilPong()
        try expect(pong == [1, 2, 3], "a pong with \(pong.count) other bytes")
        return "pong"
    }

    /// RFC 6455 § 5.5.1.
    static func close(_ code: UInt16) -> CheckPoint {
        .rule("a close with \(code) is answered with its code") { (bench) throws(CheckFault) in
            let peer = try await bench.connect()
            peer.close(code: code)
            let end = try await peer.untilEnded()
            try expect(end == .closed(code: code), CheckPeer.words(end))
            return "closed with \(code)"
        }
    }

    /// The numbers of the markers `[#n]` in a text.
    static func marker(in text: String) -> Int? {
        guard let open = text.firstRange(of: "[#"), let close = text[open.upperBound...].firstIndex(of: "]") else { return nil }
        return Int(text[open.upperBound..<close])
    }

    /// Sends `count` numbered texts and expects each back once, in order.
    static func inOrder(
        _ count: Int, _ peers: [CheckPeer], quiet: Duration, send: (Int) -> Void, number: (CheckMessage) -> Int?
    ) async throws(CheckFault) -> String {
        for number in 0..<count { send(number) }
        for peer in peers {
            _ = try await peer.until("number \(count - 1)") { number($0) == count - 1 }
            let got = await peer.quiet(for: quiet).compactMap(number)
            try expect(got == Array(0..<count), "got \(got.map(String.init).joined(separator: " "))")
        }
        return "\(count) of \(count)"
    }

    /// Characters that encoders get wrong.
    static let unusual = "quote \" back \\ slash / \n привет 你好 👩‍🚀 \u{2028}"
}
