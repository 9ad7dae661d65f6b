import Testing

@testable import StentorFleet

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
