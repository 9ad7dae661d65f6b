import StentorWire

/// The types of frames that a server sends.
enum HermesFrameType: Int {
    case ready, typing, message, prompt, promptDone, media, avatar, error, unknown

    /// The names on the wire, and `unknown`.
    static let names = ["ready", "typing", "message", "prompt", "prompt_done", "media", "avatar", "error", "unknown"]
}

/// The types of a device's frames.
enum HermesDeviceFrame: Int {
    case hello, text, media, prompt

    /// The names on the wire.
    static let names = ["hello", "text", "media", "prompt"]
}

/// A server's frame: its fields as ranges of the message, valid only with its bytes.
///
/// A field of another JSON type counts as missing; of a key that stands twice the last is taken.
struct HermesFrame {
    var type: HermesFrameType?
    var id: JSONText?
    var text: JSONText?
    var code: JSONText?
    var message: JSONText?
    var state: JSONText?
    var kind: JSONText?
    var caption: JSONText?
    var optionID: JSONText?
    var data: JSONText?
    var hasURL = false
    var isEdit = false
    var isFinal = false
    var isStop = false
    var isExpired = false
    var isFatal = false
    var part: Int64?
    var parts: Int64?
    var options: Range<Int>?

    /// Reads a message; nil if it is no JSON object with a string `t`.
    static func read(_ bytes: UnsafeRawBufferPointer) -> HermesFrame? {
        var frame = HermesFrame()
        do throws(JSONFailure) {
            try JSONScanner.readObject(bytes) { key, value in
                if let name = HermesKey(key, in: bytes) { frame.set(name, value, bytes) }
            }
        } catch {
            return nil
        }
        return frame.type == nil ? nil : frame
    }

    private mutating func set(_ key: HermesKey, _ value: JSONValue, _ bytes: UnsafeRawBufferPointer) {
        switch key {
        case .t: type = value.text.map { Self.type($0, bytes) }
        case .id: id = value.text
        case .text: text = value.text
        case .code: code = value.text
        case .message: message = value.text
        case .state: state = value.text
        case .kind: kind = value.text
        case .caption: caption = value.text
        case .optionID: optionID = value.text
        case .data: data = value.text
        case .url: hasURL = value.text != nil
        case .edit: isEdit = value.truth ?? false
        case .final: isFinal = value.truth ?? false
        case .stop: isStop = value.truth ?? false
        case .expired: isExpired = value.truth ?? false
        case .fatal: isFatal = value.truth ?? false
        case .part: part = value.wholeNumber
        case .parts: parts = value.wholeNumber
        case .options: if case .array(let range) = value { options = range } else { options = nil }
        }
    }

    private static func type(_ name: JSONText, _ bytes: UnsafeRawBufferPointer) -> HermesFrameType {
        if name.equals("message", in: bytes) { return .message }
        if name.equals("typing", in: bytes) { return .typing }
        if name.equals("avatar", in: bytes) { return .avatar }
        if name.equals("media", in: bytes) { return .media }
        if name.equals("ready", in: bytes) { return .ready }
        if name.equals("prompt", in: bytes) { return .prompt }
        if name.equals("prompt_done", in: bytes) { return .promptDone }
        if name.equals("error", in: bytes) { return .error }
        return .unknown
    }
}

/// The keys that the machine reads.
enum HermesKey: CaseIterable {
    case t, id, text, code, message, state, kind, caption, optionID, data, url, edit, final, stop, expired, fatal, part, parts, options

    /// Finds a key by its length and letters; an escaped one by its value.
    init?(_ key: JSONText, in bytes: UnsafeRawBufferPointer) {
        guard !key.isEscaped else {
            guard let found = Self.allCases.first(where: { key.equals($0.name, in: bytes) }) else { return nil }
            self = found
            return
        }
        let candidate: HermesKey? =
            switch (key.range.count, key.range.isEmpty ? 0 : bytes[key.range.lowerBound]) {
            case (1, _): .t
            case (2, _): .id
            case (3, _): .url
            case (4, UInt8(ascii: "t")): .text
            case (4, UInt8(ascii: "e")): .edit
            case (4, UInt8(ascii: "d")): .data
            case (4, UInt8(ascii: "p")): .part
            case (4, UInt8(ascii: "c")): .code
            case (4, UInt8(ascii: "s")): .stop
            case (4, _): .kind
            case (5, UInt8(ascii: "p")): .parts
            case (5, UInt8(ascii: "s")): .state
            case (5, _): bytes[key.range.lowerBound + 1] == UInt8(ascii: "i") ? .final : .fatal
            case (7, UInt8(ascii: "m")): .message
            case (7, UInt8(ascii: "o")): .options
            case (7, UInt8(ascii: "e")): .expired
            case (7, _): .caption
            case (9, _): .optionID
            default: nil
            }
        guard let candidate, key.equals(candidate.name, in: bytes) else { return nil }
        self = candidate
    }

    var name: StaticString {
        switch self {
        case .t: "t"
        case .id: "id"
        case .text: "text"
        case .code: "code"
        case .message: "message"
        case .state: "state"
        case .kind: "kind"
        case .caption: "caption"
        case .optionID: "option_id"
        case .data: "data"
        case .url: "url"
        case .edit: "edit"
        case .final: "final"
        case .stop: "stop"
        case .expired: "expired"
        case .fatal: "fatal"
        case .part: "part"
        case .parts: "parts"
        case .options: "options"
        }
    }
}
