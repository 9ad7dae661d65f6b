import StentorBase

/// The mapping at one place of a profile, read key by key.
///
/// Each read adds its faults and its resolved value to the decoding. Unknown keys are faults from the start; that all known keys are read
/// is checked when the fields go away, so that the table of keys and the decoder cannot part.
final class Fields {
    let mark: YAMLMark
    let path: [PathStep]
    let keys: ProfileKeys
    let decoding: Decoding
    private let pairs: [YAMLPair]
    private var unread: Set<String>

    /// Fails, with a fault, when the node is no mapping.
    init?(_ node: YAMLNode, path: [PathStep], keys: ProfileKeys, decoding: Decoding) {
        (mark, self.path, self.keys, self.decoding) = (node.mark, path, keys, decoding)
        guard case .mapping(let pairs) = node.content else {
            (self.pairs, unread) = ([], [])
            if node.scalar?.isBroken == true { return nil }
            decoding.faults.add(
                "expected a mapping of keys, found \(node.kind)", at: node.mark, hint: "known here: \(keys.names.joined(separator: ", "))")
            return nil
        }
        self.pairs = pairs
        unread = Set(keys.names)
        refuseUnknownKeys()
    }

    deinit {
        assert(unread.isEmpty, "Fields: keys of \(path.text) that are never read: \(unread.sorted())")
    }

    private func refuseUnknownKeys() {
        for pair in pairs where keys[pair.key] == nil {
            decoding.faults.add(unknown: pair.key, of: keys, at: pair.keyMark)
        }
    }

    func has(_ key: String) -> Bool { node(key) != nil }

    /// Where the value of a key stands; where the mapping begins when it has no such key.
    func mark(of key: String) -> YAMLMark { node(key)?.mark ?? mark }

    func node(_ key: String) -> YAMLNode? {
        pairs.first { $0.key == key }?.value
    }

    /// Marks a key as read, and checks that the table holds it.
    @discardableResult
    func take(_ key: String) -> ProfileKey {
        guard let found = keys[key] else { preconditionFailure("Fields: no key \(key) in the table of \(path.text)") }
        unread.remove(key)
        return found
    }

    func fault(_ message: String, at key: String? = nil, hint: String = "") {
        decoding.faults.add(message, at: key.map(mark(of:)) ?? mark, hint: hint)
    }

    // MARK: Single values

    /// A value that must be there; nil after a fault.
    func required<Value>(_ key: String, _ reader: Reader<Value>) -> Value? {
        precondition(take(key).isRequired, "Fields: \(key) is not required in the table")
        guard let node = node(key) else {
            missing(key)
            return nil
        }
        return decoding.read(node, at: path + [.key(key)], reader)
    }

    /// A value with a default, which is read as if it stood there; nil after a fault.
    func value<Value>(_ key: String, default text: String, _ reader: Reader<Value>) -> Value? {
        take(key)
        guard let node = node(key) else { return builtIn(key, text, reader) }
        return decoding.read(node, at: path + [.key(key)], reader)
    }

    /// A value that may be missing; nil then, and after a fault.
    func optional<Value>(_ key: String, _ reader: Reader<Value>) -> Value? {
        take(key)
        guard let node = node(key) else { return nil }
        return decoding.read(node, at: path + [.key(key)], reader)
    }

    private func builtIn<Value>(_ key: String, _ text: String, _ reader: Reader<Value>) -> Value {
        let scalar = YAMLScalar(text: text, written: text, isPlain: reader.form == .plain)
        do throws(Complaint) {
            let value = try reader.read(scalar)
            decoding.record(text, isQuoted: reader.form == .quoted, at: path + [.key(key)], from: .builtIn)
            return value
        } catch {
            preconditionFailure("Fields: the default of \(key) is refused: \(error.message)")
        }
    }

    private func missing(_ key: String) {
        fault(path.isEmpty ? "missing key '\(key)'" : "missing key '\(key)' in '\(path.text)'")
    }

    // MARK: Mappings and lists

    /// A mapping that must be there, or (`orEmpty`) is read as an empty one so that its defaults hold.
    func section(_ key: String, orEmpty: Bool = false) -> Fields? {
        let found = take(key)
        guard case .mapping(let keys) = found.shape else { preconditionFailure("Fields: \(key) is no mapping in the table") }
        if let node = node(key) { return Fields(node, path: path + [.key(key)], keys: keys, decoding: decoding) }
        if found.isRequired { missing(key) }
        guard orEmpty else { return nil }
        return Fields(YAMLNode(content: .mapping([]), mark: mark), path: path + [.key(key)], keys: keys, decoding: decoding)
    }

    /// The entries of a list, with their paths; empty when it is missing or no list.
    func list(_ key: String) -> [(node: YAMLNode, path: [PathStep])] {
        let found = take(key)
        guard let node = node(key) else {
            if found.isRequired { missing(key) }
            return []
        }
        guard case .list(let items) = node.content else {
            if node.scalar?.isBroken != true { fault("expected a list, found \(node.kind)", at: key, hint: "begin each entry with '- '") }
            return []
        }
        return items.enumerated().map { ($1, path + [.key(key), .index($0)]) }
    }

    /// The entries of a list of mappings; entries that are none are left out, with a fault.
    func sections(_ key: String) -> [Fields] {
        guard case .list(.mapping(let keys)) = keys[key]?.shape else { preconditionFailure("Fields: \(key) is no list of mappings") }
        return list(key).compactMap { Fields($0.node, path: $0.path, keys: keys, decoding: decoding) }
    }

    /// The pairs of a mapping with names of the user's own; empty when it is missing or no mapping.
    func names(_ key: String) -> [YAMLPair] {
        take(key)
        guard let node = node(key) else { return [] }
        guard case .mapping(let pairs) = node.content else {
            if node.scalar?.isBroken != true { fault("expected a mapping of names to values, found \(node.kind)", at: key) }
            return []
        }
        return pairs
    }
}

extension Decoding {
    /// Reads one value, records it, and reports what is wrong with it.
    func read<Value>(_ node: YAMLNode, at path: [PathStep], _ reader: Reader<Value>) -> Value? {
        guard case .scalar(let scalar) = node.content else {
            faults.add("expected a single value, found \(node.kind)", at: node.mark)
            return nil
        }
        guard !scalar.isBroken else { return nil }
        do throws(Complaint) {
            let value = try reader.read(scalar)
            record(reader.shown(scalar), isQuoted: reader.form != .plain, at: path, from: node.mark.source)
            return value
        } catch {
            faults.add(error.message, at: node.mark, hint: error.hint)
            return nil
        }
    }
}

extension FaultList {
    func add(unknown key: String, of keys: ProfileKeys, at mark: YAMLMark) {
        if keys.unavailable.contains(key) {
            add("'\(key)' is not available in this version", at: mark, hint: "available: \(keys.names.joined(separator: ", "))")
        } else {
            add("unknown key '\(shortened(key))'", at: mark, hint: Suggestion.hint(for: key, among: keys.names))
        }
    }
}
