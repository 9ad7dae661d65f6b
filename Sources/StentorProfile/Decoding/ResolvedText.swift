import StentorBase

/// Prints resolved values as YAML.
struct ResolvedText {
    private indirect enum Node {
        case value(String)
        case mapping([(key: String, node: Node)])
        case list([(index: Int, node: Node)])
    }

    private var root = Node.mapping([])

    init(_ values: some Sequence<ResolvedValue>) {
        for value in values {
            root = Self.inserting(value.isQuoted ? Self.quoted(value.value) : value.value, at: value.path[...], in: root)
        }
    }

    /// The text, one option a line, indented by two blanks.
    var text: String {
        var lines: [String] = []
        Self.print(root, indent: "", into: &lines)
        return lines.map { $0 + "\n" }.joined()
    }

    private static func inserting(_ value: String, at path: ArraySlice<PathStep>, in node: Node?) -> Node {
        switch path.first {
        case nil:
            return .value(value)
        case .key(let key):
            var pairs: [(key: String, node: Node)] = []
            if case .mapping(let existing) = node { pairs = existing }
            if let at = pairs.firstIndex(where: { $0.key == key }) {
                pairs[at].node = inserting(value, at: path.dropFirst(), in: pairs[at].node)
            } else {
                pairs.append((key, inserting(value, at: path.dropFirst(), in: nil)))
            }
            return .mapping(pairs)
        case .index(let index):
            var items: [(index: Int, node: Node)] = []
            if case .list(let existing) = node { items = existing }
            if let at = items.firstIndex(where: { $0.index == index }) {
                items[at].node = inserting(value, at: path.dropFirst(), in: items[at].node)
            } else {
                items.append((index, inserting(value, at: path.dropFirst(), in: nil)))
            }
            return .list(items)
        }
    }

    private static func print(_ node: Node, indent: String, into lines: inout [String]) {
        switch node {
        case .value(let text):
            lines.append(indent + text)
        case .mapping(let pairs):
            for pair in pairs {
                let key = indent + (isPlainKey(pair.key) ? pair.key : quoted(pair.key)) + ":"
                if case .value(let text) = pair.node {
                    lines.append("\(key) \(text)")
                } else {
                    lines.append(key)
                    print(pair.node, indent: indent + "  ", into: &lines)
                }
            }
        case .list(let items):
            for item in items {
                let first = lines.count
                print(item.node, indent: indent + "  ", into: &lines)
                if first < lines.count { lines[first] = indent + "- " + lines[first].dropFirst(indent.count + 2) }
            }
        }
    }

    private static func isPlainKey(_ key: String) -> Bool {
        guard let first = key.utf8.first, (0x41...0x5A).contains(first) || (0x61...0x7A).contains(first) else { return false }
        return key.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
            default: false
            }
        }
    }

    /// A double-quoted scalar (YAML 1.2 § 7.3.1).
    static func quoted(_ text: String) -> String {
        var result = "\""
        // A plain `${` must not be taken for a variable when the text is decoded again.
        for scalar in text.replacing("${", with: "$${").unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            default:
                if scalar.properties.generalCategory == .control || scalar == "\u{FEFF}" || scalar == "\u{2028}" || scalar == "\u{2029}" {
                    let digits = String(scalar.value, radix: 16, uppercase: true)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}

extension Duration {
    /// The duration exactly, in the largest unit that divides it, as a profile writes it; for instance `90s`.
    var profileText: String {
        let nanoseconds = wholeNanoseconds
        let units: [(String, Int64)] = [
            ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000),
        ]
        for (unit, factor) in units where nanoseconds != 0 && nanoseconds % factor == 0 { return "\(nanoseconds / factor)\(unit)" }
        return nanoseconds == 0 ? "0s" : "\(nanoseconds)ns"
    }
}
