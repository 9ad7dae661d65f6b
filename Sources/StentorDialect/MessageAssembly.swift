/// A message of a dialect that comes in pieces and is small enough to be put together.
struct MessageAssembly {
    /// Texts have 1 MiB at most; escapes and the other fields may double it.
    static let limitBytes = 4 << 20

    private var bytes: [UInt8] = []
    private var isTooLong = false

    /// A message begins.
    mutating func begin() {
        bytes = []
        isTooLong = false
    }

    /// A piece of it came.
    mutating func append(_ piece: UnsafeRawBufferPointer) {
        guard !isTooLong else { return }
        guard bytes.count + piece.count <= Self.limitBytes else {
            begin()
            isTooLong = true
            return
        }
        bytes.append(contentsOf: piece)
    }

    /// The whole message; nil when it was too long. Its memory is given back.
    mutating func take() -> [UInt8]? {
        defer { begin() }
        return isTooLong ? nil : bytes
    }
}
