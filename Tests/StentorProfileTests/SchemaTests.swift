import Foundation
import StentorBase
import Testing

@testable import StentorProfile

/// `Profiles/schema.json` against the decoder's own table of keys.
struct SchemaTests {
    private typealias Object = [String: Any]

    private let schema: [String: Any]

    init() throws {
        let data = try Data(contentsOf: shippedProfiles.appending(path: "schema.json"))
        schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `the schema is one of JSON Schema 2020-12`() {
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test func `the schema and the decoder know the same keys at each level`() throws {
        var levels = 0
        try compare(schema, with: .root, at: "", levels: &levels)
        #expect(levels == 21)
    }

    private func compare(_ schema: Object, with keys: ProfileKeys, at path: String, levels: inout Int) throws {
        levels += 1
        let properties = try #require(schema["properties"] as? [String: Object], "no properties at '\(path)'")
        #expect(Set(properties.keys) == Set(keys.all.map(\.name)), "keys at '\(path)'")
        #expect(schema["additionalProperties"] as? Bool == false, "'\(path)' is open")
        #expect(Set(schema["required"] as? [String] ?? []) == Set(keys.all.filter(\.isRequired).map(\.name)), "required at '\(path)'")
        for key in keys.all {
            guard let property = properties[key.name] else { continue }
            #expect(property["enum"] as? [String] ?? [] == key.choices, "choices of '\(path).\(key.name)'")
            #expect(property["description"] is String, "no description of '\(path).\(key.name)'")
            try compare(property, with: key.shape, at: "\(path).\(key.name)", levels: &levels)
        }
    }

    private func compare(_ property: Object, with shape: ProfileShape, at path: String, levels: inout Int) throws {
        switch shape {
        case .value:
            #expect(property["properties"] == nil && property["items"] == nil, "'\(path)' is a single value")
        case .mapping(let keys):
            try compare(property, with: keys, at: path, levels: &levels)
        case .list(let element):
            #expect(property["type"] as? String == "array", "'\(path)' is a list")
            try compare(try #require(property["items"] as? Object), with: element, at: "\(path)[]", levels: &levels)
        case .names:
            #expect(property["type"] as? String == "object" && property["additionalProperties"] is Object, "'\(path)' has names of its own")
        case .valueOrMapping(let keys):
            let either = try #require(property["anyOf"] as? [Object])
            try compare(try #require(either.last), with: keys, at: path, levels: &levels)
        }
    }

    @Test func `the schema's defaults are the decoder's`() throws {
        let profile = try decoded(
            profileText(
                target: "target: {url: wss://localhost}",
                """
                behaviour: {text: {every: 1s}, photo: {every: 1s}, prompts: {answers: {approve: 100%}}, ping: {every: 1s},
                  away: {every: 1m, for: 1s}}
                faults: [{drop: 1m}]
                drills: [{at: 1s, disconnect: {}}, {at: 2s, name: a, command: [a]}]
                gates: [{gate: messages.lost == 0}]
                push: {url: "http://h"}
                """))
        // Defaults that depend on others, which a schema cannot say.
        let computed: Set<String> = ["seed", "drills[0].name"]
        let restart = try decoded(
            profileText(target: "target: {url: embedded}", "drills: [{at: 3s, name: b, restart_embedded: {}}]"))
        let drill = restart.origins.filter { $0.path.hasPrefix("drills") }
        let builtIn = (profile.origins + drill).filter { $0.source == .builtIn && !computed.contains($0.path) }
        #expect(builtIn.count == 41)
        for origin in builtIn {
            let value = try #require(property(at: origin.path)["default"], "no default of '\(origin.path)'")
            #expect("\(value)" == origin.value || (value as? Bool).map(String.init) == origin.value, "default of '\(origin.path)'")
        }
    }

    private func property(at path: String) throws -> Object {
        var place = schema
        for step in Overrides.steps(of: path) ?? [] {
            switch step {
            case .key(let key):
                let choices = (place["anyOf"] as? [Object])?.compactMap { $0["properties"] as? [String: Object] }.first
                place = try #require((place["properties"] as? [String: Object] ?? choices)?[key], "no '\(path)' in the schema")
            case .index:
                place = try #require(place["items"] as? Object)
            }
        }
        return place
    }
}
