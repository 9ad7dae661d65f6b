/// What a WebSocket message holds (RFC 6455 § 5.6).
public enum MessageKind: Equatable, Sendable {
    /// Valid UTF-8.
    case text
    /// Any bytes.
    case binary
}
