import Glibc

/// The words of texts: a pure function of a text's sequence and size, so that what comes back can be compared without having been kept.
public enum TextBody {
    // Neutral words: nothing that a simulated gateway takes for a request.
    private static let words = Array(
        "the quick brown fox jumps over the lazy dog while a quiet river runs along the old stone bridge and two boats wait for rain ".utf8)

    /// What a text begins with: its marker and a blank.
    static func head(_ sequence: Int) -> String { ReplyMarker.text(sequence) + " " }

    /// A text of so many bytes (at least its marker's and a blank) that begins with its marker.
    public static func make(sequence: Int, bytes: Int) -> String {
        let head = head(sequence)
        let count = max(bytes, head.utf8.count)
        return String(unsafeUninitializedCapacity: count) { buffer in
            fill(UnsafeMutableRawBufferPointer(buffer), head: head, sequence: sequence)
            return count
        }
    }

    /// The same in exactly so many bytes, 0 or more: one that is shorter than its marker is the marker's beginning.
    public static func exact(sequence: Int, bytes: Int) -> [UInt8] {
        let head = head(sequence)
        return [UInt8](unsafeUninitializedCapacity: bytes) { buffer, count in
            if bytes >= head.utf8.count {
                fill(
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<bytes]), head: head, sequence: sequence
                )
            } else {
                for (index, byte) in head.utf8.prefix(bytes).enumerated() { buffer[index] = byte }
            }
            count = bytes
        }
    }

    /// Whether bytes are those of a text from an offset on.
    ///
    /// - Parameters:
    ///   - bytes: What is compared; it may not reach past the end of the text, which only the caller knows.
    ///   - offset: Where they lie in the text, 0 or more.
    public static func matches(_ bytes: UnsafeRawBufferPointer, sequence: Int, from offset: Int) -> Bool {
        let head = head(sequence)
        var done = 0
        if offset < head.utf8.count {
            let part = head.utf8.dropFirst(offset).prefix(bytes.count)
            guard part.elementsEqual(bytes[..<part.count]) else { return false }
            done = part.count
        }
        return words.withUnsafeBytes { words in
            while done < bytes.count {
                let start = (offset + done - head.utf8.count + sequence) % words.count
                let run = min(words.count - start, bytes.count - done)
                guard let left = bytes.baseAddress, let right = words.baseAddress, memcmp(left + done, right + start, run) == 0 else {
                    return false
                }
                done += run
            }
            return true
        }
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, head: String, sequence: Int) {
        var done = 0
        for byte in head.utf8 {
            buffer[done] = byte
            done += 1
        }
        let first = done
        words.withUnsafeBytes { words in
            while done < buffer.count {
                let start = (done - first + sequence) % words.count
                let run = min(words.count - start, buffer.count - done)
                UnsafeMutableRawBufferPointer(rebasing: buffer[done..<(done + run)]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: words[start..<(start + run)]))
                done += run
            }
        }
    }
}
