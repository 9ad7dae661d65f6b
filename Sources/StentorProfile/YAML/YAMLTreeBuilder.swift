/// Builds the tree of one document from events.
struct YAMLTreeBuilder: ~Copyable {
    private var events: YAMLEvents
    private let flag: String?
    private let faults: FaultList

    init(events: consuming YAMLEvents, flag: String?, faults: FaultList) {
        self.events = events
        self.flag = flag
        self.faults = faults
    }

    /// Reads the only document.
    mutating func document() throws(YAMLStop) -> YAMLNode {
        _ = try next()  // stream start
        let first = try next()
        guard case .documentStart = first.kind else {
            faults.add(flag == nil ? "the profile is empty" : "the value is empty", at: YAMLMark(line: 1, column: 1, flag: flag))
            throw YAMLStop()
        }
        let root = try node(from: try next(), depth: 0)
        _ = try next()  // document end
        let after = try next()
        if case .documentStart = after.kind {
            faults.add("a profile is one document; a second one begins here", at: mark(of: after), hint: "remove the line '---'")
        }
        return root
    }

    private mutating func next() throws(YAMLStop) -> YAMLEvent {
        do throws(YAMLProblem) {
            return try events.next()
        } catch {
            let context = flag == nil && error.context?.what.hasSuffix("next token") == false ? error.context : nil
            let began = context.map { " (\($0.what) that begins in line \($0.line))" }
            faults.add(
                "invalid YAML: \(error.message)\(began ?? "")", at: YAMLMark(line: error.line, column: error.column, flag: flag),
                hint: Self.hint(for: error))
            throw YAMLStop()
        }
    }

    private static func hint(for problem: YAMLProblem) -> String {
        if problem.message.contains("cannot start any token") {
            return "quote a value that begins with a special character; indent with blanks, never with tabs"
        }
        return problem.message.contains("mapping values are not allowed") ? "quote a value that holds ': '" : ""
    }

    private func mark(of event: YAMLEvent) -> YAMLMark {
        YAMLMark(line: event.line, column: event.column, flag: flag)
    }

    private mutating func node(from event: YAMLEvent, depth: Int) throws(YAMLStop) -> YAMLNode {
        let mark = mark(of: event)
        guard depth < YAMLReader.depthLimit else {
            faults.add("nested deeper than \(YAMLReader.depthLimit) levels", at: mark)
            throw YAMLStop()
        }
        let isBroken = refuseDecoration(of: event)
        switch event.kind {
        case .scalar(let text, let isPlain):
            let scalar = YAMLScalar(text: text, written: text, isPlain: isPlain, isBroken: isBroken)
            return YAMLNode(content: .scalar(scalar), mark: mark)
        case .alias:
            faults.add("aliases are not supported", at: mark, hint: "write the value out; quote a value that begins with '*'")
            let scalar = YAMLScalar(text: "", written: "", isPlain: false, isBroken: true)
            return YAMLNode(content: .scalar(scalar), mark: mark)
        case .listStart:
            return YAMLNode(content: .list(try list(depth: depth)), mark: mark)
        case .mappingStart:
            return YAMLNode(content: .mapping(try mapping(depth: depth)), mark: mark)
        case .streamStart, .streamEnd, .documentStart, .documentEnd, .listEnd, .mappingEnd:
            preconditionFailure("YAMLTreeBuilder: \(event.kind) where a value begins")
        }
    }

    private func refuseDecoration(of event: YAMLEvent) -> Bool {
        // None is quoted: a token that begins with '&', '*' or '!' looks like one of them.
        if event.isAnchored {
            faults.add("anchors are not supported", at: mark(of: event), hint: "quote a value that begins with '&'")
        }
        if event.isTagged {
            faults.add("tags are not supported", at: mark(of: event), hint: "quote a value that begins with '!'")
        }
        return event.isAnchored || event.isTagged
    }

    private func checkRoom(_ count: Int, at event: YAMLEvent) throws(YAMLStop) {
        guard count >= YAMLReader.entryLimit else { return }
        faults.add("more than \(YAMLReader.entryLimit) entries", at: mark(of: event))
        throw YAMLStop()
    }

    private mutating func list(depth: Int) throws(YAMLStop) -> [YAMLNode] {
        var items: [YAMLNode] = []
        while true {
            let event = try next()
            if case .listEnd = event.kind { return items }
            try checkRoom(items.count, at: event)
            items.append(try node(from: event, depth: depth + 1))
        }
    }

    private mutating func mapping(depth: Int) throws(YAMLStop) -> [YAMLPair] {
        var pairs: [YAMLPair] = []
        var lines: [String: Int] = [:]
        while true {
            let event = try next()
            if case .mappingEnd = event.kind { return pairs }
            try checkRoom(pairs.count, at: event)
            let keyNode = try node(from: event, depth: depth + 1)
            let value = try node(from: try next(), depth: depth + 1)
            guard let key = keyNode.scalar, !key.isBroken else {
                if keyNode.scalar == nil { faults.add("a key must be a single word, not \(keyNode.kind)", at: keyNode.mark) }
                continue
            }
            if let line = lines[key.text] {
                faults.add(
                    "duplicate key '\(shortened(key.text))'", at: keyNode.mark, hint: flag == nil ? "it stands in line \(line) already" : ""
                )
                continue
            }
            lines[key.text] = keyNode.mark.line
            pairs.append(YAMLPair(key: key.text, keyMark: keyNode.mark, value: value))
        }
    }
}

/// A text as faults quote it: at most 60 characters, control characters replaced.
func shortened(_ text: String) -> String {
    let safe = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
    var result = String(String.UnicodeScalarView(safe.prefix(60)))
    if safe.count > 60 { result += "…" }
    return result
}
