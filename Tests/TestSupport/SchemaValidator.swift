import Foundation

/// Checks a document against a JSON Schema, as far as `Docs/summary.schema.json` uses the language: `$ref` into `$defs`, `anyOf`,
/// `type`, `enum`, `required`, `properties`, `additionalProperties`, `items`, `minimum`. A keyword that it does not know is a fault.
public struct SchemaValidator {
    private let root: [String: Any]
    private static let annotations: Set<String> = ["$schema", "$id", "$defs", "title", "description", "format"]

    /// Reads a schema.
    public init(schema: Data) throws {
        root = try JSONSerialization.jsonObject(with: schema) as? [String: Any] ?? [:]
    }

    /// That of `summary.json`.
    public static func summary() throws -> SchemaValidator {
        try SchemaValidator(schema: Data(contentsOf: URL(fileURLWithPath: Repository.root + "/Docs/summary.schema.json")))
    }

    /// All faults, each with the place in the document.
    public func faults(in document: Data) throws -> [String] {
        check(try JSONSerialization.jsonObject(with: document), root, "$")
    }

    private func check(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
        schema.keys.sorted().flatMap { keyword -> [String] in
            guard let rule = schema[keyword], !Self.annotations.contains(keyword) else { return [] }
            switch keyword {
            case "$ref": return check(value, definition(rule), place)
            case "anyOf": return anyOf(value, rule as? [[String: Any]] ?? [], place)
            case "type": return type(value, rule, place)
            case "enum": return (rule as? [Any] ?? []).contains { isSame($0, value) } ? [] : ["\(place): \(value) is not in the list"]
            case "required": return required(value, rule as? [String] ?? [], place)
            case "properties": return properties(value, rule as? [String: [String: Any]] ?? [:], place)
            case "additionalProperties": return additional(value, rule, schema["properties"] as? [String: Any] ?? [:], place)
            case "items": return items(value, rule as? [String: Any] ?? [:], place)
            case "minimum": return minimum(value, rule, place)
            default: return ["\(place): the schema uses '\(keyword)', which is not checked"]
            }
        }
    }

    private func definition(_ rule: Any) -> [String: Any] {
        let name = (rule as? String)?.replacing("#/$defs/", with: "") ?? ""
        return (root["$defs"] as? [String: [String: Any]])?[name] ?? ["unknown $ref \(name)": true]
    }

    private func anyOf(_ value: Any, _ schemas: [[String: Any]], _ place: String) -> [String] {
        let faults = schemas.map { check(value, $0, place) }
        return faults.contains { $0.isEmpty } ? [] : faults.flatMap(\.self)
    }

    private func type(_ value: Any, _ rule: Any, _ place: String) -> [String] {
        let allowed = rule as? [String] ?? [rule as? String ?? ""]
        return allowed.contains { Self.types(of: value).contains($0) } ? [] : ["\(place): \(value) is no \(allowed)"]
    }

    private static func types(of value: Any) -> [String] {
        switch value {
        case is NSNull: return ["null"]
        case is String: return ["string"]
        case is [Any]: return ["array"]
        case is [String: Any]: return ["object"]
        case let number as NSNumber:
            if String(cString: number.objCType) == "c" { return ["boolean"] }
            return number.doubleValue == number.doubleValue.rounded() ? ["integer", "number"] : ["number"]
        default: return []
        }
    }

    private func isSame(_ left: Any, _ right: Any) -> Bool {
        (left as? NSObject)?.isEqual(right as? NSObject) ?? false
    }

    private func required(_ value: Any, _ names: [String], _ place: String) -> [String] {
        let object = value as? [String: Any] ?? [:]
        return names.filter { object[$0] == nil }.map { "\(place): '\($0)' is missing" }
    }

    private func properties(_ value: Any, _ rules: [String: [String: Any]], _ place: String) -> [String] {
        let object = value as? [String: Any] ?? [:]
        return rules.keys.sorted().flatMap { name in
            object[name].flatMap { member in rules[name].map { check(member, $0, "\(place).\(name)") } } ?? []
        }
    }

    private func additional(_ value: Any, _ rule: Any, _ known: [String: Any], _ place: String) -> [String] {
        let others = (value as? [String: Any] ?? [:]).filter { known[$0.key] == nil }
        if let schema = rule as? [String: Any] { return others.flatMap { check($0.value, schema, "\(place).\($0.key)") } }
        return others.keys.sorted().map { "\(place): '\($0)' is not allowed" }
    }

    private func items(_ value: Any, _ rule: [String: Any], _ place: String) -> [String] {
        (value as? [Any] ?? []).enumerated().flatMap { check($1, rule, "\(place)[\($0)]") }
    }

    private func minimum(_ value: Any, _ rule: Any, _ place: String) -> [String] {
        guard let number = value as? NSNumber, let least = rule as? NSNumber, number.doubleValue < least.doubleValue else { return [] }
        return ["\(place): \(number) is below \(least)"]
    }
}
