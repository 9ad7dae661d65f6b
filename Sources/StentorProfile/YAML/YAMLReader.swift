import CYAML

/// Reads one YAML document into nodes, refusing what a profile has no use for: anchors, aliases, tags, further documents.
///
/// Bounded: ``sizeLimit`` bytes, ``depthLimit`` levels. Everything refused is added to the faults; reading goes on where that makes sense.
enum YAMLReader {
    /// Longest profile, in bytes.
    static let sizeLimit = 1 << 20
    /// Deepest nesting of lists and mappings.
    static let depthLimit = 32
    /// Most entries of one list or mapping.
    static let entryLimit = 1000

    /// Reads a whole text; nil when there is nothing to decode; then there is at least one fault.
    ///
    /// - Parameters:
    ///   - bytes: The text, UTF-8.
    ///   - flag: The flag that the text comes from; nil for a file.
    ///   - faults: Where faults go.
    static func read(_ bytes: [UInt8], flag: String? = nil, faults: FaultList) -> YAMLNode? {
        let start = YAMLMark(line: 1, column: 1, flag: flag)
        let text = flag == nil ? "the profile" : "the value"
        guard bytes.count <= sizeLimit else {
            faults.add("\(text) is larger than 1 MiB", at: start)
            return nil
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            faults.add("\(text) is not UTF-8", at: YAMLMark(line: lineOfFirstInvalidByte(in: bytes), column: 1, flag: flag))
            return nil
        }
        // libyaml would count a byte order mark as a column.
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return body.withUnsafeBufferPointer { buffer in
            guard let events = YAMLEvents(buffer) else {
                preconditionFailure("YAMLReader: libyaml has no memory for a parser")
            }
            var builder = YAMLTreeBuilder(events: events, flag: flag, faults: faults)
            return try? builder.document()
        }
    }

    private static func lineOfFirstInvalidByte(in bytes: [UInt8]) -> Int {
        var line = 1
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if String(validating: part, as: UTF8.self) == nil { return line }
            line += 1
        }
        return line
    }
}

/// Reading cannot go on; the fault is in the list already.
struct YAMLStop: Error {}

/// What libyaml found, as Swift values.
struct YAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias
        case scalar(String, isPlain: Bool)
        case listStart, listEnd, mappingStart, mappingEnd
    }

    let kind: Kind
    /// Whether a scalar, list or mapping has an anchor or a tag.
    let isAnchored: Bool
    let isTagged: Bool
    /// 1-based.
    let line: Int
    let column: Int
}

/// A problem that libyaml reports; positions are 1-based.
struct YAMLProblem: Error {
    let message: String
    /// What libyaml was reading, and the line in which that began; nil when it does not say.
    let context: (what: String, line: Int)?
    let line: Int
    let column: Int
}

/// Owns a parser of libyaml over a buffer that outlives it.
struct YAMLEvents: ~Copyable {
    // On the heap: libyaml keeps a pointer to the parser in the parser.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeBufferPointer<UInt8>

    init?(_ input: UnsafeBufferPointer<UInt8>) {
        parser = .allocate(capacity: 1)
        self.input = input
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            return nil
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// The next event.
    mutating func next() throws(YAMLProblem) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem() }
        defer { yaml_event_delete(&event) }
        return Self.translated(event)
    }

    private static func translated(_ event: yaml_event_t) -> YAMLEvent {
        var anchor: UnsafeMutablePointer<yaml_char_t>?
        var tag: UnsafeMutablePointer<yaml_char_t>?
        let kind: YAMLEvent.Kind
        var isTagged = false
        // `data` is a C union: only the member that belongs to the type may be read.
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            (anchor, tag) = (scalar.anchor, scalar.tag)
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            // The non-specific tag `!` leaves no tag behind, only a plain scalar that is not plain.
            isTagged = isPlain && scalar.plain_implicit == 0
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            kind = .scalar(String(decoding: bytes, as: UTF8.self), isPlain: isPlain)
        case YAML_SEQUENCE_START_EVENT:
            (anchor, tag) = (event.data.sequence_start.anchor, event.data.sequence_start.tag)
            kind = .listStart
        case YAML_MAPPING_START_EVENT:
            (anchor, tag) = (event.data.mapping_start.anchor, event.data.mapping_start.tag)
            kind = .mappingStart
        case YAML_ALIAS_EVENT: kind = .alias
        case YAML_SEQUENCE_END_EVENT: kind = .listEnd
        case YAML_MAPPING_END_EVENT: kind = .mappingEnd
        case YAML_STREAM_START_EVENT: kind = .streamStart
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
        default: kind = .streamEnd
        }
        return YAMLEvent(
            kind: kind, isAnchored: anchor != nil, isTagged: isTagged || tag != nil, line: event.start_mark.line + 1,
            column: event.start_mark.column + 1)
    }

    private func problem() -> YAMLProblem {
        let found = parser.pointee
        let message = found.problem.map { String(cString: $0) } ?? "unreadable"
        let context = found.context.map { (what: String(cString: $0), line: found.context_mark.line + 1) }
        let mark = found.error == YAML_READER_ERROR ? positionOfByte(found.problem_offset) : found.problem_mark
        return YAMLProblem(message: message, context: context, line: mark.line + 1, column: mark.column + 1)
    }

    // A reader error (a control character) has an offset only.
    private func positionOfByte(_ offset: Int) -> yaml_mark_t {
        var mark = yaml_mark_t()
        for byte in input.prefix(offset) {
            mark.column += 1
            if byte == UInt8(ascii: "\n") { (mark.line, mark.column) = (mark.line + 1, 0) }
        }
        return mark
    }
}
