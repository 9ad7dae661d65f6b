import StentorBase

/// The short forms of flags that change more than one place, on a tree whose environment variables are filled in.
struct ShortForms {
    let faults: FaultList

    /// Path of the longest `hold` of the load, the first of equals; nil, with a fault, when there is none.
    func pathOfLongestHold(in root: YAMLNode, flag: String) -> String? {
        guard case .list(let steps) = root["load"]?.content else { return nil }
        let holds = steps.enumerated().compactMap { index, step in
            step["hold"].map { (index: index, duration: $0.scalar.flatMap { Quantity.duration($0.text) } ?? .zero) }
        }
        guard var longest = holds.first else {
            let mark = YAMLMark(line: 0, column: 0, flag: flag)
            faults.add("the load has no 'hold' to set", at: mark, hint: "add a step {hold: …} to the profile's load")
            return nil
        }
        for hold in holds where hold.duration > longest.duration { longest = hold }
        return "load[\(longest.index)].hold"
    }

    /// Scales the ramps that the profile gives as numbers when a flag changed `devices.count`, and drops what a new target cannot have.
    func adjusted(_ root: YAMLNode, original: YAMLNode) -> YAMLNode {
        droppingTargetSettings(scalingRamps(root, original: original), original: original)
    }

    private func scalingRamps(_ root: YAMLNode, original: YAMLNode) -> YAMLNode {
        guard let node = root["devices"]?["count"], let flag = node.mark.flag,
            let new = node.scalar.flatMap({ Int($0.text) }), (1...1_000_000).contains(new),
            let old = original["devices"]?["count"]?.scalar.flatMap({ Int($0.text) }), (1...1_000_000).contains(old)
        else { return root }
        return root.mapping("load") { load in
            guard case .list(let steps) = load.content else { return load }
            let scaled = steps.map { $0.mapping("ramp") { Self.scaled($0, from: old, to: new, flag: flag) } }
            return YAMLNode(content: .list(scaled), mark: load.mark)
        }
    }

    private static func scaled(_ ramp: YAMLNode, from old: Int, to new: Int, flag: String) -> YAMLNode {
        guard ramp.mark.flag == nil, let scalar = ramp.scalar, !scalar.isBroken, let target = Int(scalar.text), (1...old).contains(target)
        else {
            return ramp
        }
        let text = String(max(1, (target * new + old / 2) / old))
        let value = YAMLScalar(text: text, written: text, isPlain: true)
        // A fault of the new value would be one of the flag.
        return YAMLNode(content: .scalar(value), mark: YAMLMark(line: 0, column: 0, flag: flag))
    }

    private func droppingTargetSettings(_ root: YAMLNode, original: YAMLNode) -> YAMLNode {
        guard let url = root["target"]?["url"], url.mark.flag != nil, let text = url.scalar?.text else { return root }
        var dropped: [String] = []
        if text != "embedded" { dropped.append("gateway") }
        if !text.lowercased().hasPrefix("wss:") { dropped.append("tls") }
        return root.mapping("target") { target in
            guard case .mapping(let pairs) = target.content else { return target }
            let kept = pairs.filter { !dropped.contains($0.key) || $0.keyMark.flag != nil || Self.isSetByFlag($0.value) }
            return YAMLNode(content: .mapping(kept), mark: target.mark)
        }
    }

    // What a flag asks for itself is not dropped: that it cannot be had is a fault.
    private static func isSetByFlag(_ node: YAMLNode) -> Bool {
        if node.mark.flag != nil { return true }
        guard case .mapping(let pairs) = node.content else { return false }
        return pairs.contains { isSetByFlag($0.value) }
    }
}

extension YAMLNode {
    /// This mapping with the value of one key changed; unchanged when there is no such key.
    fileprivate func mapping(_ key: String, _ change: (YAMLNode) -> YAMLNode) -> YAMLNode {
        guard case .mapping(var pairs) = content, let at = pairs.firstIndex(where: { $0.key == key }) else { return self }
        pairs[at].value = change(pairs[at].value)
        return YAMLNode(content: .mapping(pairs), mark: mark)
    }
}
