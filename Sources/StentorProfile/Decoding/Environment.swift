/// Fills `${NAME}` in the values of a tree; `$${` stands for a plain `${`; keys are left as they are.
struct Environment {
    let lookup: (String) -> String?
    let faults: FaultList

    func expanded(_ node: YAMLNode) -> YAMLNode {
        var result = node
        switch node.content {
        case .scalar(let scalar): result.content = .scalar(expanded(scalar, at: node.mark))
        case .list(let items): result.content = .list(items.map(expanded))
        case .mapping(let pairs):
            result.content = .mapping(pairs.map { YAMLPair(key: $0.key, keyMark: $0.keyMark, value: expanded($0.value)) })
        }
        return result
    }

    private func expanded(_ scalar: YAMLScalar, at mark: YAMLMark) -> YAMLScalar {
        guard scalar.written.contains("${") else { return scalar }
        var result = scalar
        var text = ""
        var rest = scalar.written[...]
        while let dollar = rest.firstIndex(of: "$") {
            text += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                text += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                guard let value = variable(&rest, at: mark) else {
                    result.isBroken = true
                    continue
                }
                text += value
                result.usesEnvironment = true
            } else {
                text += "$"
                rest = rest.dropFirst()
            }
        }
        result.text = text + rest
        return result
    }

    // Always moves `rest` past the reference, so that one value reports all its faults.
    private func variable(_ rest: inout Substring, at mark: YAMLMark) -> String? {
        let body = rest.dropFirst(2)
        guard let end = body.firstIndex(of: "}") else {
            faults.add("'${' without '}'", at: mark, hint: "write $${ for a plain ${")
            rest = rest.dropFirst(rest.count)
            return nil
        }
        let name = body[..<end]
        rest = body[body.index(after: end)...]
        let isName =
            name.first?.isNumber == false
            && name.utf8.allSatisfy { (0x30...0x39).contains($0) || Self.isLetter($0) || $0 == UInt8(ascii: "_") }
        guard isName else {
            // Not quoted: in the shell's `${NAME:-value}` the value may be a secret.
            faults.add(
                "'${…}' names no environment variable", at: mark, hint: "a name has letters, digits and '_'; write $${ for a plain ${")
            return nil
        }
        guard let value = lookup(String(name)) else {
            faults.add("environment variable '\(name)' is not set", at: mark)
            return nil
        }
        return value
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
