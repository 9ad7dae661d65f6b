import StentorBase

/// What a stream has yet to send: small copied bytes and payloads by reference, in order, with marks between them.
struct OutputQueue {
    private struct Reference {
        let payload: SharedPayload
        /// Position in the stream's output at which the payload begins, and where it begins and ends in the payload.
        let start: UInt64
        let range: Range<Int>
        let transform: PayloadTransform?

        var end: UInt64 { start + UInt64(range.count) }
    }
    private struct Mark {
        let value: UInt64
        let position: UInt64
    }

    private var copied: [UInt8] = []
    private var copiedHead = 0
    private var references: [Reference] = []
    private var marks: [Mark] = []
    private var queued: UInt64 = 0
    private(set) var sent: UInt64 = 0

    /// Bytes that wait.
    var pendingBytes: Int { Int(queued - sent) }
    /// Bytes that wait in memory of this queue.
    var copiedBytes: Int { copied.count - copiedHead }
    var hasMarks: Bool { !marks.isEmpty }

    mutating func append(_ bytes: UnsafeRawBufferPointer, spare: () -> [UInt8]) {
        if copied.capacity == 0 { copied = spare() }
        copied.append(contentsOf: bytes)
        queued += UInt64(bytes.count)
    }

    mutating func append(_ payload: SharedPayload, range: Range<Int>, transform: PayloadTransform?) {
        guard !range.isEmpty else { return }
        references.append(Reference(payload: payload, start: queued, range: range, transform: transform))
        queued += UInt64(range.count)
    }

    mutating func mark(_ value: UInt64) {
        marks.append(Mark(value: value, position: queued))
    }

    /// The next mark that has been reached, taken out.
    mutating func takeReachedMark() -> UInt64? {
        guard let first = marks.first, first.position <= sent else { return nil }
        marks.removeFirst()
        return first.value
    }

    /// Calls `send` with the next bytes to go out, at most a scratch buffer full; accounts what it says it took.
    ///
    /// - Returns: What `send` returned.
    mutating func withNext(scratch: UnsafeMutableRawBufferPointer, send: (UnsafeRawBufferPointer) -> Int) -> Int {
        let taken: Int
        if let first = references.first, first.start <= sent {
            taken = sendReference(first, scratch: scratch, send: send)
        } else if references.isEmpty {
            taken = copied.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[copiedHead...])) }
        } else {
            taken = sendMixed(scratch: scratch, send: send)
        }
        if taken > 0 { advance(by: taken) }
        return taken
    }

    /// Gives the emptied buffer back, so that an idle stream holds none.
    mutating func takeEmptyBuffer() -> [UInt8]? {
        guard queued == sent, copied.capacity > 0 else { return nil }
        copiedHead = 0
        let buffer = copied
        copied = []
        return buffer
    }

    private func sendReference(_ reference: Reference, scratch: UnsafeMutableRawBufferPointer, send: (UnsafeRawBufferPointer) -> Int) -> Int
    {
        let done = Int(sent - reference.start)
        let count = min(reference.range.count - done, scratch.count)
        return reference.payload.withUnsafeBytes { bytes in
            let from = reference.range.lowerBound + done
            let piece = UnsafeRawBufferPointer(rebasing: bytes[from..<from + count])
            guard let transform = reference.transform else { return send(piece) }
            transform(piece, scratch, done)
            return send(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
        }
    }

    /// A head of copied bytes goes out together with the beginning of the payload that follows it: one system call less for each frame.
    private func sendMixed(scratch: UnsafeMutableRawBufferPointer, send: (UnsafeRawBufferPointer) -> Int) -> Int {
        let reference = references[0]
        let head = Int(reference.start - sent)
        return copied.withUnsafeBytes { bytes in
            let inline = UnsafeRawBufferPointer(rebasing: bytes[copiedHead..<copiedHead + head])
            guard head <= 4096, let transform = reference.transform else { return send(inline) }
            scratch.copyMemory(from: inline)
            let count = min(reference.range.count, scratch.count - head)
            reference.payload.withUnsafeBytes { payload in
                let from = reference.range.lowerBound
                let piece = UnsafeRawBufferPointer(rebasing: payload[from..<from + count])
                transform(piece, UnsafeMutableRawBufferPointer(rebasing: scratch[head...]), 0)
            }
            return send(UnsafeRawBufferPointer(rebasing: scratch[..<(head + count)]))
        }
    }

    private mutating func advance(by count: Int) {
        var left = UInt64(count)
        while left > 0 {
            if let first = references.first, first.start <= sent {
                let step = min(left, first.end - sent)
                sent += step
                left -= step
                if sent == first.end { references.removeFirst() }
            } else {
                let step = min(left, (references.first?.start ?? queued) - sent)
                sent += step
                left -= step
                copiedHead += Int(step)
            }
        }
        guard copiedHead == copied.count else { return }
        copied.removeAll(keepingCapacity: true)
        copiedHead = 0
    }
}
