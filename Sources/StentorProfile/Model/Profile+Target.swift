import StentorBase
import StentorWire

extension Profile {
    /// The gateway under test, and how to reach it.
    public struct Target: Sendable {
        /// Where the gateway is.
        public let endpoint: Endpoint
        /// Name of the protocol spoken, one of the catalogue that the profile was decoded with; default: its first.
        public let dialect: String
        /// The token that devices show, or where to read it; default none.
        public let token: Token
        /// TLS settings; used with `wss` only.
        public let tls: TLS
        /// Headers added to each upgrade request, in the profile's order.
        public let headers: [Header]
        /// Deadline from the dial to the end of the upgrade, more than 0; default 10 s.
        public let connectWithin: Duration
        /// Deadline from hello to ready, more than 0; default 10 s.
        public let readyWithin: Duration
        /// Local IP addresses that dials are spread over; empty leaves the choice to the kernel.
        public let sourceAddresses: [String]
        /// Whether the profile allows a host other than loopback; default false.
        public let allowsHost: Bool
        /// Options of the embedded gateway, in the profile's order; empty unless ``endpoint`` is `embedded`.
        public let gateway: [GatewayOption]
        /// Longest message accepted from the server, in bytes, 1 KiB...256 MiB; default 16 MiB.
        public let messageLimitBytes: Int
    }

    /// Where the gateway is.
    public enum Endpoint: Sendable, Equatable {
        /// A simulated gateway, started as a child process on a free loopback port.
        case embedded
        /// A gateway that runs already.
        case url(TargetURL)
    }

    /// The token that devices show.
    public enum Token: Sendable, Equatable {
        /// No token.
        case none
        /// One token for all devices.
        case text(Secret)
        /// Path of a file that holds one token for all devices; the caller reads it.
        case file(String)
        /// Path of a file with one `device_id=token` a line; the caller reads it.
        case tableFile(String)
    }

    /// TLS settings.
    public struct TLS: Sendable, Equatable {
        /// Path of a PEM file with the authorities to trust instead of the system's; nil trusts the system's.
        public let caFile: String?
        /// Name to send as SNI and to verify; nil takes the URL's host.
        public let serverName: String?
        /// Whether the server's certificate is not verified; default false.
        public let isInsecure: Bool
    }

    /// A header of the upgrade request.
    public struct Header: Sendable, Equatable {
        /// Field name, a token of RFC 9110 § 5.6.2.
        public let name: String
        /// Field value without control characters; wrapped, for it may be a credential.
        public let value: Secret
    }

    /// One option of the embedded gateway; the gateway checks it.
    public struct GatewayOption: Sendable, Equatable {
        /// Name, lower case with underscores, as in `reply_delay`.
        public let name: String
        /// Value as written, for instance `20ms..80ms`.
        public let value: String
        /// Where it stands, for faults that the gateway's options raise.
        public let place: String
    }
}
