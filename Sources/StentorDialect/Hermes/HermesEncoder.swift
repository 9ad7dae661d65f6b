import StentorBase
import StentorWire

/// What a Hermes device says about itself.
public struct HermesDevice: Equatable, Sendable {
    /// The stable identity: the session's key on the agent's side.
    public let id: String
    /// A name for people.
    public let name: String
    /// For instance `ios`.
    public let platform: String
    /// For instance `1.4.0`.
    public let appVersion: String

    /// Describes a device.
    public init(id: String, name: String, platform: String, appVersion: String) {
        self.id = id
        self.name = name
        self.platform = platform
        self.appVersion = appVersion
    }
}

/// What is the same in all parts of an upload.
public struct HermesUpload: Equatable, Sendable {
    /// One id for all parts.
    public let id: String
    /// Kind of file; devices send `image`.
    public let kind: String
    /// Media type, for instance `image/jpeg`.
    public let mime: String
    /// Name of the file; nil: not sent.
    public let filename: String?
    /// Caption; nil: not sent.
    public let caption: String?

    /// Describes an upload.
    public init(id: String, kind: String = "image", mime: String, filename: String? = nil, caption: String? = nil) {
        self.id = id
        self.kind = kind
        self.mime = mime
        self.filename = filename
        self.caption = caption
    }
}

/// Writes the frames of a Hermes device.
///
/// Each method replaces ``bytes``, whose memory is used again.
public struct HermesEncoder: Sendable {
    /// Raw bytes in a part of a file; the last part may be shorter.
    public static let partBytes = 3_145_728
    /// What ends a frame that was begun with ``beginMedia(_:part:parts:)`` or ``beginAudio(id:format:transcript:)``.
    public static let payloadSuffix: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "}")]

    private var writer = JSONWriter(capacity: 512)

    /// Makes an encoder.
    public init() {}

    /// The frame that was written last.
    public var bytes: [UInt8] { writer.bytes }

    /// Parts of a file of so many bytes; an empty file is one part.
    public static func partCount(fileBytes: Int) -> Int {
        max(1, (fileBytes + partBytes - 1) / partBytes)
    }

    /// The raw bytes of a part, as offsets in the file.
    public static func partRange(_ part: Int, fileBytes: Int) -> Range<Int> {
        min(part * partBytes, fileBytes)..<min((part + 1) * partBytes, fileBytes)
    }

    /// Writes the greeting, which repeats the token of the address.
    public mutating func hello(token: Secret, device: HermesDevice) {
        begin("hello")
        writer.key("v")
        writer.integer(1)
        field("token", token.reveal())
        writer.key("device")
        writer.beginObject()
        field("id", device.id)
        field("name", device.name)
        field("platform", device.platform)
        field("app_version", device.appVersion)
        writer.endObject()
        writer.key("user")
        writer.beginObject()
        writer.endObject()
        writer.endObject()
    }

    /// Writes a text.
    public mutating func text(id: String, text: String) {
        begin("text")
        field("id", id)
        field("text", text)
        writer.endObject()
    }

    /// Writes an answer to a card; the option goes out in lower case.
    public mutating func promptAnswer(promptID: String, _ response: PromptResponse) {
        begin("prompt")
        field("prompt_id", promptID)
        if let option = response.optionID { field("option_id", option.lowercased()) }
        if let text = response.text { field("text", text) }
        writer.endObject()
    }

    /// Writes the beginning of a part's frame, up to its base64; the payload and ``payloadSuffix`` follow it on the wire.
    ///
    /// - Parameters:
    ///   - part: Index from 0.
    ///   - parts: Number of parts, 1 or more.
    public mutating func beginMedia(_ upload: HermesUpload, part: Int, parts: Int) {
        begin("media")
        field("id", upload.id)
        field("kind", upload.kind)
        field("mime", upload.mime)
        writer.key("part")
        writer.integer(part)
        writer.key("parts")
        writer.integer(parts)
        if let filename = upload.filename { field("filename", filename) }
        if let caption = upload.caption { field("caption", caption) }
        writer.key("data")
        writer.openString()
    }

    /// Writes the beginning of a sound's frame, up to its base64; the whole file and ``payloadSuffix`` follow it on the wire.
    public mutating func beginAudio(id: String, format: String, transcript: String? = nil) {
        begin("audio")
        field("id", id)
        field("format", format)
        if let transcript { field("text", transcript) }
        writer.key("data")
        writer.openString()
    }

    private mutating func begin(_ type: StaticString) {
        writer.reset()
        writer.beginObject()
        writer.key("t")
        writer.string(type)
    }

    private mutating func field(_ key: StaticString, _ value: String) {
        writer.key(key)
        writer.string(value)
    }
}
