/// Where a node stands: a position in the profile, or the flag that set it.
struct YAMLMark: Equatable, Sendable {
    /// Line and column, 1-based; columns count characters.
    var line: Int
    var column: Int
    /// The flag that set the node; then line and column mean nothing.
    var flag: String?

    func place(in file: String) -> String {
        flag ?? "\(file):\(line):\(column)"
    }
}

/// One text of a profile.
struct YAMLScalar: Equatable, Sendable {
    /// The value, environment variables filled in.
    var text: String
    /// The value as written; the only form that faults may quote.
    var written: String
    /// Whether it stands without quotes, and so may be a number, a boolean or null to YAML.
    var isPlain: Bool
    /// Whether a fault was reported for it already; readers pass over it.
    var isBroken = false
    /// Whether any part came from the environment.
    var usesEnvironment = false

    /// Whether nothing stands there at all.
    var isNothing: Bool { isPlain && written.isEmpty }
}

/// A key of a mapping and its value.
struct YAMLPair: Equatable, Sendable {
    var key: String
    var keyMark: YAMLMark
    var value: YAMLNode
}

/// A value of a profile and where it stands.
struct YAMLNode: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case scalar(YAMLScalar)
        case list([YAMLNode])
        case mapping([YAMLPair])
    }

    var content: Content
    var mark: YAMLMark

    /// What it is, for faults.
    var kind: String {
        switch content {
        case .scalar(let scalar): scalar.isNothing ? "nothing" : "a single value"
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }

    /// The value of a key; nil when this is no mapping or has no such key.
    subscript(key: String) -> YAMLNode? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.first { $0.key == key }?.value
    }

    /// The scalar, if it is one.
    var scalar: YAMLScalar? {
        guard case .scalar(let scalar) = content else { return nil }
        return scalar
    }
}
