import Foundation
import Testing

@testable import StentorGateway

struct GatewayDocumentTests {
    private static let document = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Docs/gateway.md").standardized

    private static func row(_ option: GatewayOption) -> String {
        let escaped = { (text: String) in text.replacing("|", with: #"\|"#) }
        switch option.kind {
        case .flag(let isOn): return "| `--\(option.name)` | \(option.help) (\(isOn ? "on" : "off")) |"
        case .value(let placeholder): return "| `--\(option.name) \(escaped(placeholder))` | \(option.help) |"
        case .repeated(let placeholder): return "| `--\(option.name) \(escaped(placeholder))` | \(option.help); repeatable |"
        }
    }

    @Test func `the document lists every option, in order, and no other`() throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `--") }.map(String.init)
        #expect(rows == GatewayOption.all.map(Self.row))
    }
}
