import StentorWire

/// The `data` of one frame, decoded as it comes.
struct IncomingData {
    /// Decoded bytes so far.
    private(set) var count = 0
    /// Where they go.
    var sink: Upload.Sink
    private var decoder = Base64StreamDecoder()
    private var isValid = true

    /// Begins a text of base64. What goes into memory is bounded by the limit of a message.
    init(_ sink: Upload.Sink) {
        self.sink = sink
    }

    /// Takes a piece of the text.
    ///
    /// - Parameter scratch: Room for decoding; grown as needed.
    mutating func take(_ text: UnsafeRawBufferPointer, _ scratch: inout [UInt8]) {
        guard isValid else { return }
        let bound = Base64.decodedBound(text.count)
        if scratch.count < bound { scratch = [UInt8](repeating: 0, count: bound) }
        scratch.withUnsafeMutableBytes { room in
            guard let written = decoder.decode(text, into: room) else {
                isValid = false
                sink = .nowhere
                return
            }
            count += written
            let decoded = UnsafeRawBufferPointer(rebasing: room[..<written])
            switch sink {
            case .hash(let hash, _): hash.update(decoded)
            case .memory(var content):
                // Moved out and back, so that appending does not copy.
                sink = .nowhere
                content.append(contentsOf: decoded)
                sink = .memory(content)
            case .nowhere: break
            }
        }
    }

    /// Ends the text: whether it was strict base64.
    mutating func finish() -> Bool {
        isValid && decoder.finish()
    }

    /// The digest of everything; only for data that went into a hash or, whole, into memory.
    consuming func digest() -> SHA256Digest {
        switch sink {
        case .hash(let hash, _): hash.finish()
        case .memory(let content): SHA256Digest(of: content)
        case .nowhere: SHA256Digest(of: [])
        }
    }
}

/// A message that comes in pieces: its `data`, if it has one, is decoded on the way and the rest kept.
final class LongMessage {
    /// Whether it comes in a binary message.
    let isBinary: Bool
    /// Its `data`, once that has begun.
    var data: IncomingData?
    private var splitter: JSONStreamSplitter
    private var isHopeless = false

    /// Begins a message.
    init(isBinary: Bool, headLimit: Int) {
        self.isBinary = isBinary
        splitter = JSONStreamSplitter(key: "data", headLimit: headLimit)
    }

    /// Takes a piece; `began` gets what stands before `data` and says where `data` goes.
    func take(_ piece: UnsafeRawBufferPointer, _ scratch: inout [UInt8], _ began: (UnsafeRawBufferPointer) -> IncomingData) {
        guard !isHopeless else { return }
        isHopeless = !splitter.feed(piece, began: { data = began($0) }, divert: { data?.take($0, &scratch) })
        if isHopeless { data = nil }
    }

    /// Ends the message: its text with `data` emptied; no JSON if it was none.
    func finish() -> [UInt8] {
        splitter.finish()
    }
}
