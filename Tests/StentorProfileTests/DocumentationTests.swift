import StentorDialect
import Foundation
import Testing

@testable import StentorProfile

/// `Docs/profile.md` against the decoder's table of keys.
struct DocumentationTests {
    @Test func `each key and each word of a choice is documented in the part of its section`() throws {
        let path = shippedProfiles.deletingLastPathComponent().appending(path: "Docs/profile.md").path
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var parts: [String: String] = [:]
        for part in text.components(separatedBy: "\n## ") {
            let title = part.prefix { $0 != "\n" }.filter { $0 != "`" }
            parts[title] = part
        }
        let topLevel = try #require(parts["Top level"])
        for key in ProfileKeys.root(Dialect.catalogue).all {
            #expect(topLevel.contains("`\(key.name)`"), "'\(key.name)' is missing at the top level")
            for word in Self.words(of: key.shape) {
                #expect(Self.names(word, in: parts[key.name] ?? ""), "'\(word)' is missing under '\(key.name)'")
            }
        }
    }

    private static func words(of shape: ProfileShape) -> [String] {
        switch shape {
        case .value, .names: []
        case .list(let element): words(of: element)
        case .mapping(let keys), .valueOrMapping(let keys): keys.all.flatMap { [$0.name] + $0.choices + words(of: $0.shape) }
        }
    }

    // In code font, alone or as the last part of a path: `every`, `text.every`.
    private static func names(_ word: String, in text: String) -> Bool {
        text.contains("`\(word)`") || text.contains(".\(word)`") || text.contains("`\(word).")
    }
}
