/// A text that must never be seen: a token or a password.
///
/// Printing, interpolating or reflecting it gives `[redacted]`. ``reveal()`` is the only way to the text, so that its users can be found.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    /// Wraps a text.
    public init(_ text: String) {
        self.text = text
    }

    /// The secret text, for the wire only.
    public func reveal() -> String { text }

    /// Whether the text is empty.
    public var isEmpty: Bool { text.isEmpty }

    /// Always `[redacted]`.
    public var description: String { "[redacted]" }
    /// Always `[redacted]`.
    public var debugDescription: String { "[redacted]" }
    /// Shows no children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
