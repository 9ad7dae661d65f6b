import StentorBase

/// Sets the values of flags over a profile's tree, before it is decoded, so that every check holds for them too.
struct Overrides {
    let faults: FaultList
    let dialects: DialectCatalogue

    /// The tree with one path set; the tree as it was, and a fault, when there is no such path.
    func setting(_ path: String, of override: ProfileOverride, in root: YAMLNode) -> YAMLNode {
        let mark = YAMLMark(line: 0, column: 0, flag: override.flag)
        guard let steps = Self.steps(of: path) else {
            faults.add("'\(shortened(path))' is no path", at: mark, hint: "for instance devices.count or load[0].hold")
            return root
        }
        let setter = OverrideSetter(value: override.value, mark: mark, faults: faults)
        return setter.set(steps[...], in: root, shape: .mapping(.root(dialects)), done: [])
    }

    static func steps(of path: String) -> [PathStep]? {
        var steps: [PathStep] = []
        for part in path.split(separator: ".", omittingEmptySubsequences: false) {
            let name = part.prefix { $0 != "[" }
            guard !name.isEmpty else { return nil }
            steps.append(.key(String(name)))
            var rest = part.dropFirst(name.count)
            while !rest.isEmpty {
                guard rest.first == "[", let end = rest.firstIndex(of: "]") else { return nil }
                let digits = rest[rest.index(after: rest.startIndex)..<end]
                guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let index = Int(digits) else { return nil }
                steps.append(.index(index))
                rest = rest[rest.index(after: end)...]
            }
        }
        return steps
    }
}

/// Walks down one path and sets the value at its end.
private struct OverrideSetter {
    let value: String
    let mark: YAMLMark
    let faults: FaultList

    func set(_ steps: ArraySlice<PathStep>, in node: YAMLNode?, shape: ProfileShape, done: [PathStep]) -> YAMLNode {
        guard let step = steps.first else { return newNode(for: shape) }
        let path = done + [step]
        switch (shape, step) {
        case (.mapping(let keys), .key(let name)), (.valueOrMapping(let keys), .key(let name)):
            guard let key = keys[name] else { return refuse(name, of: keys, done, node) }
            return setKey(name, to: steps.dropFirst(), in: node, shape: key.shape, path: path)
        case (.names, .key(let name)):
            return setKey(name, to: steps.dropFirst(), in: node, shape: .value, path: path)
        case (.list(let element), .index(let index)):
            guard case .list(var items) = node?.content, index < items.count else {
                return refuse("there is no '\(path.text)'", hint: "'\(done.text)' has \(count(of: node)) entries, numbered from 0", node)
            }
            items[index] = set(steps.dropFirst(), in: items[index], shape: element, done: path)
            return YAMLNode(content: .list(items), mark: node?.mark ?? mark)
        case (.list, .key):
            return refuse("'\(done.text)' is a list", hint: "name one entry, such as \(done.text)[0]", node)
        case (.mapping, .index), (.names, .index), (.valueOrMapping, .index):
            return refuse("'\(done.text)' is no list", node)
        case (.value, _):
            return refuse("'\(done.text)' is a single value: there is no '\(path.text)'", node)
        }
    }

    private func count(of node: YAMLNode?) -> Int {
        guard case .list(let items) = node?.content else { return 0 }
        return items.count
    }

    private func setKey(
        _ name: String, to steps: ArraySlice<PathStep>, in node: YAMLNode?, shape: ProfileShape, path: [PathStep]
    ) -> YAMLNode {
        var pairs: [YAMLPair] = []
        if let node, node.scalar?.isNothing != true {
            guard case .mapping(let existing) = node.content else {
                return refuse("'\(path.dropLast().text)' is \(node.kind): there is no '\(path.text)'", node)
            }
            pairs = existing
        }
        if let at = pairs.firstIndex(where: { $0.key == name }) {
            pairs[at].value = set(steps, in: pairs[at].value, shape: shape, done: path)
        } else {
            let faultsBefore = faults.count
            let value = set(steps, in: nil, shape: shape, done: path)
            // A refused path must not leave empty mappings behind, whose missing keys would be further faults.
            guard faults.count == faultsBefore else { return node ?? empty }
            pairs.append(YAMLPair(key: name, keyMark: mark, value: value))
        }
        return YAMLNode(content: .mapping(pairs), mark: node?.mark ?? mark)
    }

    private var empty: YAMLNode { YAMLNode(content: .mapping([]), mark: mark) }

    private func refuse(_ message: String, hint: String = "", _ node: YAMLNode?) -> YAMLNode {
        faults.add(message, at: mark, hint: hint)
        return node ?? empty
    }

    private func refuse(_ name: String, of keys: ProfileKeys, _ done: [PathStep], _ node: YAMLNode?) -> YAMLNode {
        let place = done.isEmpty ? "" : " in '\(done.text)'"
        if keys.unavailable.contains(name) {
            return refuse("'\((done + [.key(name)]).text)' is not available in this version", node)
        }
        let near = Suggestion.nearest(to: name, among: keys.names).map { "did you mean '\((done + [.key($0)]).text)'?" }
        return refuse("unknown key '\(shortened(name))'\(place)", hint: near ?? "known here: \(keys.names.joined(separator: ", "))", node)
    }

    // A single value is taken as it is, for the shell has its own quotes; a list or mapping is YAML in flow style.
    private func newNode(for shape: ProfileShape) -> YAMLNode {
        switch shape {
        case .value: return scalar
        case .valueOrMapping: return value.hasPrefix("{") ? parsed : scalar
        case .list, .names, .mapping: return parsed
        }
    }

    private var scalar: YAMLNode {
        let isQuoted = value.utf8.count >= 2 && value.first == value.last && (value.first == "\"" || value.first == "'")
        let text = isQuoted ? String(value.dropFirst().dropLast()) : value
        return YAMLNode(content: .scalar(YAMLScalar(text: text, written: text, isPlain: !isQuoted)), mark: mark)
    }

    private var parsed: YAMLNode {
        YAMLReader.read(Array(value.utf8), flag: mark.flag, faults: faults)
            ?? YAMLNode(content: .scalar(YAMLScalar(text: "", written: "", isPlain: false, isBroken: true)), mark: mark)
    }
}

extension ArraySlice<PathStep> {
    fileprivate var text: String { Array(self).text }
}
