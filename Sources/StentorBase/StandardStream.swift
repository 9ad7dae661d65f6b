import Glibc

/// The process's own output, written whole and unbuffered.
public enum StandardStream: Int32, Sendable {
    /// Results.
    case output = 1
    /// Progress and failures.
    case error = 2

    /// Writes a text; a stream that was closed swallows it.
    public func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var done = 0
            while done < bytes.count {
                // SAFETY: the buffer is not empty here.
                let count = Glibc.write(rawValue, bytes.baseAddress! + done, bytes.count - done)
                if count < 0, errno != EINTR, errno != EAGAIN { return }
                done += max(0, count)
            }
        }
    }
}
