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
