import CStentorSystem

/// A system call that failed.
public struct SystemFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call, for instance `bind`.
    public let call: String
    /// The value of `errno`.
    public let code: Int32

    /// Makes a failure of a call; `code` defaults to the current `errno`.
    public init(_ call: String, code: Int32 = stentor_errno()) {
        self.call = call
        self.code = code
    }

    /// For instance `bind: Address already in use`.
    public var description: String {
        "\(call): \(Self.text(of: code))"
    }

    /// The system's text for an `errno` value.
    public static func text(of code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            // SAFETY: the capacity above is not 0, and the C function ends the text with a NUL.
            stentor_error_text(code, buffer.baseAddress!, buffer.count)
            return String(cString: buffer.baseAddress!)
        }
    }
}
