import StentorBase
import StentorMetrics

extension Profile.GateRule {
    static func all(in fields: Fields) -> [Profile.GateRule] {
        var lines: [String: Int] = [:]
        return fields.list("gates").compactMap { entry in
            let mark = entry.node["gate"]?.mark ?? entry.node.mark
            guard let rule = rule(from: entry.node, at: entry.path, mark: mark, in: fields.decoding) else { return nil }
            guard lines.updateValue(mark.line, forKey: rule.text) == nil else {
                fields.decoding.faults.add("gate '\(shortened(rule.text))' is given twice", at: mark)
                return nil
            }
            return rule
        }
    }

    private static func rule(from node: YAMLNode, at path: [PathStep], mark: YAMLMark, in decoding: Decoding) -> Profile.GateRule? {
        let place = mark.place(in: decoding.faults.file)
        if case .scalar = node.content {
            return decoding.read(node, at: path, .gate).map {
                Profile.GateRule(gate: $0.gate, text: $0.text, place: place, abortsRun: false, after: .zero)
            }
        }
        guard let fields = Fields(node, path: path, keys: .gate, decoding: decoding) else { return nil }
        let gate = fields.required("gate", .gate)
        let aborts = fields.value("abort", default: "false", .boolean)
        let after = fields.optional("after", .durationOrZero)
        if fields.has("after"), aborts == false {
            fields.fault("'after' needs 'abort: true'", at: "after", hint: "a gate that does not abort is judged at the end")
        }
        guard let gate, let aborts else { return nil }
        return Profile.GateRule(gate: gate.gate, text: gate.text, place: place, abortsRun: aborts, after: after ?? .zero)
    }
}

extension Reader where Value == (gate: Gate, text: String) {
    fileprivate static var gate: Reader<(gate: Gate, text: String)> {
        Reader<String>.text.then { text, _ throws(Complaint) in
            do throws(UserFailure) {
                return (try Gate.parse(text), text)
            } catch {
                throw Complaint(error.message, hint: error.hint)
            }
        }
    }
}
