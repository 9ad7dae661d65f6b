import Testing

@testable import StentorDialect

@Suite struct `The body of a text` {
    @Test(arguments: [(1, 20), (1, 21), (7, 400), (12_345, 20), (3, 70_000)])
    func `has the size that was asked for and begins with its marker`(sequence: Int, bytes: Int) {
        let body = TextBody.make(sequence: sequence, bytes: bytes)
        #expect(body.utf8.count == bytes)
        #expect(body.hasPrefix("[#\(sequence)] "))
        #expect(body.dropFirst(2).firstIndex(of: "#") == nil, "one marker only")
    }

    @Test func `is never shorter than its marker`() {
        #expect(TextBody.make(sequence: 123_456, bytes: 0) == "[#123456] ")
        #expect(TextBody.make(sequence: 123_456, bytes: 10) == "[#123456] ")
        #expect(TextBody.make(sequence: 123_456, bytes: 11).utf8.count == 11)
    }

    @Test func `differs from the one before, and holds words only`() {
        let bodies = (1...20).map { TextBody.make(sequence: $0, bytes: 60) }
        #expect(Set(bodies.map { $0.drop { $0 != " " } }).count == 20)
        #expect(bodies.allSatisfy { $0.drop { $0 != " " }.allSatisfy { $0 == " " || ("a"..."z").contains($0) } })
    }
}

@Suite struct `The exact body of a text` {
    @Test(arguments: [0, 1, 5, 6, 7, 19, 20, 21, 22, 124, 125, 126, 1000])
    func `has the size that was asked for, and is the longer body's beginning`(bytes: Int) {
        let long = Array(TextBody.make(sequence: 123, bytes: 2000).utf8)
        #expect(TextBody.exact(sequence: 123, bytes: bytes) == Array(long[..<bytes]))
    }

    @Test func `matches itself in any pieces, and nothing else`() {
        let body = TextBody.exact(sequence: 77, bytes: 700)
        for start in stride(from: 0, to: 700, by: 3) {
            for count in [0, 1, 2, 60, 130, 300] where start + count <= 700 {
                let isSame = body[start..<start + count].withUnsafeBytes { TextBody.matches($0, sequence: 77, from: start) }
                #expect(isSame)
                guard count > 0 else { continue }
                let isOther = body[start..<start + count].withUnsafeBytes { TextBody.matches($0, sequence: 78, from: start) }
                #expect(!isOther || count < 60, "\(start), \(count)")
                var damaged = Array(body[start..<start + count])
                damaged[count - 1] ^= 4
                #expect(!damaged.withUnsafeBytes { TextBody.matches($0, sequence: 77, from: start) })
            }
        }
    }
}
