/// Buffers of texts that are answered, kept for the next ones.
struct SpareTexts {
    private var buffers: [[UInt8]] = []

    /// An empty buffer, with room if one is spare.
    mutating func take() -> [UInt8] {
        buffers.popLast() ?? []
    }

    /// Keeps a buffer unless it is large or there are enough.
    mutating func giveBack(_ buffer: consuming [UInt8]) {
        guard buffers.count < 256, (1...4096).contains(buffer.capacity) else { return }
        buffer.removeAll(keepingCapacity: true)
        buffers.append(buffer)
    }
}
