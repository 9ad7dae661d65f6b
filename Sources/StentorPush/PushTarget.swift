import Glibc
import StentorBase

/// Where and how to push: a Pushgateway, the grouping key, credentials.
public struct PushTarget: Sendable {
    /// How the client authenticates itself.
    public enum Credentials: Sendable {
        /// Not at all.
        case none
        /// HTTP basic authentication (RFC 7617).
        case basic(user: String, password: Secret)
        /// A bearer token (RFC 6750).
        case bearer(Secret)
    }

    /// What happens to the group when the run ends.
    public enum OnFinish: String, CaseIterable, Sendable {
        /// A last push; the numbers stay.
        case keep
        /// The group is deleted.
        case delete
    }

    /// The full URL of the group, with the path prefix of the given URL.
    public let address: String
    /// How the client authenticates itself.
    public let credentials: Credentials
    /// A file of CA certificates to trust instead of the system's; nil for the system's.
    public let caFile: String?
    /// The time that one request may take, name resolution and connection included.
    public let requestTimeout: Duration
    /// Whether `http_proxy` and its like are honoured.
    public let usesEnvironmentProxy: Bool
    /// What happens to the group at the end.
    public let onFinish: OnFinish

    /// Validates where to push.
    ///
    /// - Parameters:
    ///   - url: `http` or `https`, host, optional port and path prefix; no user, query or fragment.
    ///   - job: The job of the grouping key; not empty.
    ///   - labels: The other labels of the grouping key, in a stable order.
    ///   - credentials: Default none.
    ///   - caFile: Must be readable. Default: the system's certificates.
    ///   - requestTimeout: For a whole request. Default 5 s; at least 1 ms.
    ///   - usesEnvironmentProxy: Default false: proxies are ignored.
    ///   - onFinish: Default keep.
    /// - Throws: A failure that names what is wrong. It never shows the URL, which may hold a password.
    public init(
        url: String, job: String, labels: [GroupingLabel] = [], credentials: Credentials = .none, caFile: String? = nil,
        requestTimeout: Duration = .seconds(5), usesEnvironmentProxy: Bool = false, onFinish: OnFinish = .keep
    ) throws(UserFailure) {
        address = try Self.checked(url) + GroupingPath.encode(job: job, labels: labels)
        if let caFile, access(caFile, R_OK) != 0 {
            throw UserFailure(.file, "the CA file of the push cannot be read", place: caFile)
        }
        try Self.check(credentials)
        self.credentials = credentials
        self.caFile = caFile
        self.requestTimeout = max(requestTimeout, .milliseconds(1))
        self.usesEnvironmentProxy = usesEnvironmentProxy
        self.onFinish = onFinish
    }

    /// The texts that no message may show: the secrets, and what stands for them on the wire.
    var hiddenTexts: [String] {
        switch credentials {
        case .none: []
        case .basic(let user, let password):
            [Base64Text.encode(Array("\(user):\(password.reveal())".utf8), urlSafe: false), password.reveal()].filter { !$0.isEmpty }
        case .bearer(let token): [token.reveal()].filter { !$0.isEmpty }
        }
    }

    private static func checked(_ url: String) throws(UserFailure) -> String {
        let scheme = ["http://", "https://"].first { url.lowercased().hasPrefix($0) }
        guard let scheme else { throw failure("is not http or https", "write it as http://pushgateway:9091") }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { throw failure("holds a user or password", "give credentials on their own") }
        guard !rest.contains("?"), !rest.contains("#") else { throw failure("has a query or fragment", "end it with the path") }
        guard !authority.isEmpty, authority.first != ":" else { throw failure("has no host", "write it as http://pushgateway:9091") }
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
            throw failure("holds a blank or a character that is not ASCII", "percent-encode it")
        }
        // Joined anew, so that no empty segment is left: the Pushgateway answers `//` with a redirect.
        let segments = rest.dropFirst(authority.count).split(separator: "/")
        return scheme + authority + segments.map { "/" + $0 }.joined()
    }

    /// What would break out of the header, or out of the pair of user and password (RFC 7617 § 2).
    private static func check(_ credentials: Credentials) throws(UserFailure) {
        func hasControls(_ text: String) -> Bool { text.utf8.contains { $0 < 0x20 || $0 == 0x7F } }
        switch credentials {
        case .none: break
        case .basic(let user, let password):
            guard !user.contains(":"), !hasControls(user), !hasControls(password.reveal()) else {
                throw UserFailure(
                    .profile, "the push's user or password cannot be sent",
                    hint: "no ':' in the user, no control characters in either; is there a line break at the end?")
            }
        case .bearer(let token):
            guard !token.isEmpty, !hasControls(token.reveal()) else {
                throw UserFailure(
                    .profile, "the push's token cannot be sent",
                    hint: "it must not be empty or hold control characters; is there a line break at the end?")
            }
        }
    }

    private static func failure(_ what: String, _ hint: String) -> UserFailure {
        UserFailure(.profile, "the push's url \(what)", hint: hint)
    }
}
