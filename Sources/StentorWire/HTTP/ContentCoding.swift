/// How the body of an answer may be coded (RFC 9110 § 8.4.1).
public enum ContentCoding: Equatable, Sendable {
    /// As it is.
    case identity
    /// RFC 1952.
    case gzip

    /// The coding to answer a request in: gzip where the client takes it and does not like the plain body better (RFC 9110 § 12.5.3).
    ///
    /// Without `Accept-Encoding` the body stays plain, although a client that says nothing takes anything. A client that takes neither
    /// gets a plain body too.
    public static func chosen(for fields: HTTPFields) -> ContentCoding {
        var weights: [Substring: Double] = [:]
        for member in fields.members(of: "Accept-Encoding") {
            let parts = member.split(separator: ";", omittingEmptySubsequences: false).map { HTTPGrammar.trimmed($0) }
            guard let name = parts.first, let weight = weight(parts.dropFirst()) else { continue }
            weights[name == "x-gzip" ? "gzip" : name] = weight
        }
        let gzip = weights["gzip"] ?? weights["*"] ?? 0
        let identity = weights["identity"] ?? weights["*"] ?? 0
        return gzip > 0 && gzip >= identity ? .gzip : .identity
    }

    /// The `q` of a member, 1 without one; nil when it is malformed.
    private static func weight(_ parameters: some Sequence<Substring>) -> Double? {
        var weight = 1.0
        for parameter in parameters {
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { HTTPGrammar.trimmed($0) }
            guard pair.first == "q" else { continue }
            guard pair.count == 2, let value = number(pair[1]) else { return nil }
            weight = value
        }
        return weight
    }

    /// `0` to `1` with at most three digits after the point (RFC 9110 § 12.4.2).
    private static func number(_ text: Substring) -> Double? {
        let digits = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = digits.first, whole == "0" || whole == "1" else { return nil }
        let fraction = digits.count == 2 ? digits[1] : ""
        guard fraction.utf8.count <= 3, fraction.utf8.allSatisfy(HTTPGrammar.isDigit), let value = Double(whole + "." + fraction + "0"),
            value <= 1
        else { return nil }
        return value
    }
}
