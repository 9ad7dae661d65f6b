/// Makes one printable line of what a peer or library said, without secrets.
enum ErrorText {
    /// At most this many bytes of an answer are kept.
    static let limitBytes = 4096

    /// Hides secrets, then turns runs of blanks and control characters into one blank.
    ///
    /// A gateway or a proxy may echo the request, credentials included.
    static func clean(_ bytes: [UInt8], hiding secrets: [String]) -> String {
        let isCut = bytes.count >= limitBytes
        let hidden = secrets.reduce(Array(bytes.prefix(limitBytes))) { replaced($0, Array($1.utf8), isCut: isCut) }
        let scalars = String(decoding: hidden, as: UTF8.self).unicodeScalars.map { isPrintable($0) ? $0 : " " }
        return String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ")
    }

    /// - Parameter isCut: The text goes on beyond its end, so a beginning of the secret there is hidden too.
    private static func replaced(_ text: [UInt8], _ secret: [UInt8], isCut: Bool) -> [UInt8] {
        var result: [UInt8] = []
        var at = 0
        while at < text.count {
            let rest = text[at...]
            if rest.starts(with: secret) || (isCut && secret.starts(with: rest)) {
                result += Array("[redacted]".utf8)
                at += secret.count
            } else {
                result.append(text[at])
                at += 1
            }
        }
        return result
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
