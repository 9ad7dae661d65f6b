import StentorBase

/// A label of the grouping key.
public struct GroupingLabel: Sendable, Equatable {
    /// The label's name.
    public let name: String
    /// The label's value; may be empty.
    public let value: String

    /// Makes a label; ``GroupingPath`` validates it.
    public init(_ name: String, _ value: String) {
        (self.name, self.value) = (name, value)
    }
}

/// Encodes a grouping key into the path of a push: `/metrics/job/JOB/NAME/VALUE…`.
///
/// Values that are empty, hold `/` or anything but ASCII, or are the path segments `.` and `..`, go as `NAME@base64/…` in the URL-safe
/// alphabet with padding, the empty one as `=`; all others are percent-encoded (RFC 3986 § 2.3). Source: the Pushgateway's README,
/// "URL", whose router decodes `%2F` before it splits the path.
public enum GroupingPath {
    /// The longest value, in bytes of UTF-8.
    public static let valueLimitBytes = 1024

    /// Encodes a grouping key; the labels keep their order, so that the path is stable.
    ///
    /// - Throws: A failure of cause `.profile` that names the label: a bad name, a value that is too long, an empty job.
    public static func encode(job: String, labels: [GroupingLabel]) throws(UserFailure) -> String {
        guard !job.isEmpty else {
            throw UserFailure(.profile, "the push's job is empty", hint: "give it a name such as 'stentor'")
        }
        var seen: Set<String> = ["job"]
        var path = "/metrics"
        for label in [GroupingLabel("job", job)] + labels {
            if label.name != "job" || path != "/metrics" { try check(label.name, &seen) }
            guard label.value.utf8.count <= valueLimitBytes else {
                throw UserFailure(
                    .profile, "the value of the push label '\(label.name)' has \(label.value.utf8.count) bytes",
                    hint: "at most \(valueLimitBytes) bytes are allowed")
            }
            path += needsBase64(label.value) ? "/\(label.name)@base64/\(base64(label.value))" : "/\(label.name)/\(percent(label.value))"
        }
        return path
    }

    private static func check(_ name: String, _ seen: inout Set<String>) throws(UserFailure) {
        let isWord = !name.isEmpty && name.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }
        guard isWord, name.first?.isNumber == false, !name.hasPrefix("__") else {
            throw UserFailure(
                .profile, "'\(name)' is no name of a push label",
                hint: "letters, digits and _ of ASCII, not a digit first, and not __ at the start")
        }
        guard seen.insert(name).inserted else {
            throw UserFailure(.profile, "the push label '\(name)' is there twice", hint: "the job counts as a label named 'job'")
        }
    }

    private static func needsBase64(_ value: String) -> Bool {
        value.isEmpty || value == "." || value == ".." || value.utf8.contains { $0 == UInt8(ascii: "/") || $0 >= 0x80 }
    }

    private static func percent(_ value: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in value.utf8 {
            if isLetterOrDigit(byte) || "-._~".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// RFC 4648 § 5, padded; empty is a single `=`, for the router drops empty segments.
    private static func base64(_ value: String) -> String {
        let text = Base64Text.encode(Array(value.utf8), urlSafe: true)
        return text.isEmpty ? "=" : text
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}

/// Base64 for short texts (RFC 4648 §§ 4 and 5).
///
/// The fast coder of the wire is in a layer that the push does not need otherwise.
enum Base64Text {
    static func encode(_ bytes: [UInt8], urlSafe: Bool) -> String {
        let tail = urlSafe ? "-_" : "+/"
        let alphabet = Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + tail).utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for sextet in 0..<4 {
                let isPadding = sextet > group.count
                text.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> UInt32(18 - 6 * sextet)) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
