/// Immutable bytes that many connections send without copying them.
public final class SharedPayload: Sendable {
    private let bytes: [UInt8]

    /// Takes the bytes over.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// How many bytes there are.
    public var count: Int { bytes.count }

    /// Gives access to the bytes for the duration of a call.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }
}

/// Writes a piece of a payload, changed, into a buffer of at least its size; the number says how many bytes of the range went before.
///
/// A payload that many connections share is masked by it on its way into each socket.
public typealias PayloadTransform = (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer, Int) -> Void
