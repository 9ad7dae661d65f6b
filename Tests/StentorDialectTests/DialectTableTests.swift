import StentorBase
import Testing

@testable import StentorDialect

@Suite struct `The table of dialects` {
    @Test func `has each once, the default first`() {
        #expect(Dialect.all.map(\.name) == ["hermes", "rooms", "typed", "echo"])
        #expect(Dialect.named("rooms")?.leaveCode == 1001 && Dialect.named("tansr") == nil)
        #expect(Dialect.catalogue.names == Dialect.all.map(\.name) && Dialect.catalogue.unavailable == ["tansr"])
    }

    @Test(arguments: Dialect.all.map(\.name))
    func `each row is whole: sizes that exist, behaviours that profiles know, defaults of the right kind`(name: String) throws {
        let dialect = try #require(Dialect.named(name))
        #expect(dialect.shape.behaviours.isSubset(of: ["text", "photo", "prompts", "ping", "away"]))
        #expect(dialect.shape.behaviours.contains("photo") == (dialect.photoPartBytes != nil))
        #expect(Quantity.byteCount(dialect.shape.textSize.least) != nil && Quantity.byteCount(dialect.shape.textSize.most) != nil)
        for option in dialect.shape.options {
            guard let text = option.defaultText else { continue }
            switch option.kind {
            case .integer(let range): #expect(Int(text).map(range.contains) == true)
            case .boolean: #expect(["true", "false"].contains(text))
            case .duration: #expect(Quantity.duration(text) != nil)
            }
        }
    }

    @Test(arguments: [("typed", 1001), ("echo", 1000)] as [(String, UInt16)])
    func `devices of dialects that say nothing of it come back after 1, 2, 4 seconds and so on`(name: String, leaveCode: UInt16) throws {
        let dialect = try #require(Dialect.named(name))
        #expect((1...7).map { dialect.reconnectPolicy.plainDelay(attempt: $0) } == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        #expect(dialect.leaveCode == leaveCode && dialect.finalCloseCodes.isEmpty)
    }
}
