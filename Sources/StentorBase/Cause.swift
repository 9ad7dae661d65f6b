/// Why a dial did not lead to a usable connection. Closed: the cause, never a message, becomes a label.
public enum DialCause: String, CaseIterable, Sendable {
    /// The name could not be resolved.
    case dns
    /// No address was found in time.
    case dnsTimeout = "dns_timeout"
    /// The connection was refused (ECONNREFUSED).
    case refused
    /// No route, network down, or an address family that this machine lacks.
    case unreachable
    /// TCP did not connect in time.
    case tcpTimeout = "tcp_timeout"
    /// The TLS handshake failed for another reason than the certificate.
    case tls
    /// The server's certificate did not verify: chain, date or name.
    case tlsVerification = "tls_verification"
    /// The TLS handshake did not end in time.
    case tlsTimeout = "tls_timeout"
    /// The upgrade was answered with another status than 101.
    case httpStatus = "http_status"
    /// The upgrade's answer is no HTTP, or breaks RFC 6455 § 4.1 (headers, extensions).
    case badUpgrade = "bad_upgrade"
    /// `Sec-WebSocket-Accept` is missing or wrong.
    case badAccept = "bad_accept"
    /// The upgrade was not answered in time.
    case upgradeTimeout = "upgrade_timeout"
    /// The peer closed or reset the connection before the upgrade was done.
    case closed
    /// The greeting was not answered in time.
    case readyTimeout = "ready_timeout"
    /// The peer ended the connection between upgrade and ready.
    case closedBeforeReady = "closed_before_ready"
    /// The server refused the device for good (close 1008, HTTP 401 or 403).
    case refusedByServer = "refused_by_server"
    /// This machine has no local port left (EADDRNOTAVAIL): a limit of the generator.
    case portsExhausted = "ports_exhausted"
    /// This process has no file descriptor left (EMFILE, ENFILE): a limit of the generator.
    case descriptorsExhausted = "descriptors_exhausted"
    /// A fault or drill of the profile cut it before it was ready.
    case fault
    /// The dial was given up because the run or the device ended.
    case cancelled
    /// The connection had been opened before: refused by this program, nothing was dialled.
    case alreadyOpen = "already_open"

    /// Whether the generator, not the target, was at fault.
    public var isGeneratorLimit: Bool {
        self == .portsExhausted || self == .descriptorsExhausted
    }
}

/// Why a ready connection ended.
public enum LossCause: String, CaseIterable, Sendable {
    /// The server sent a close frame.
    case closedByServer = "closed_by_server"
    /// The stream ended without a close frame (FIN).
    case endOfStream = "end_of_stream"
    /// The connection was reset (RST), or another socket error.
    case reset
    /// No pong in time: the peer is silent.
    case silent
    /// The peer broke RFC 6455; we closed with 1002, 1007 or 1009.
    case protocolError = "protocol_error"
    /// A fault or drill of the profile cut it.
    case fault
    /// The device left on purpose.
    case left
}
