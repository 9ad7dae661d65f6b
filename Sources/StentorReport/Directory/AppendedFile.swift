import Glibc

/// A file that grows at its end for as long as a run lasts.
///
/// What cannot be written, for instance to a full disk, is kept and tried again, up to ``keptBytes``; a line is never left torn by
/// a write that stopped half-way. One thread at a time.
final class AppendedFile {
    /// How much is kept while nothing can be written; what comes after that is lost.
    static let keptBytes = 4 << 20

    let name: String
    /// Bytes that are in the file or wait for it.
    var size: Int { written + pending.count }
    /// Bytes that were lost because nothing could be written for too long.
    private(set) var lostBytes = 0
    private let descriptor: Int32
    private var written: Int
    private var pending: [UInt8] = []

    /// Makes the file empty; a former one is gone.
    ///
    /// - Parameters:
    ///   - name: For messages: the final name.
    ///   - path: Where it is.
    init(_ name: String, path: String) throws(SystemFile.Failure) {
        self.name = name
        written = 0
        // A link in its place must not lead elsewhere.
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemFile.Failure("open") }
    }

    deinit {
        close(descriptor)
    }

    /// Takes whole lines; they are written with the next ``flush()``.
    func append(_ bytes: [UInt8]) {
        if pending.isEmpty {
            pending = bytes
        } else if pending.count + bytes.count <= Self.keptBytes {
            pending += bytes
        } else {
            lostBytes += bytes.count
        }
    }

    /// Hands to the kernel what was taken.
    ///
    /// - Throws: The write that failed; what was taken waits for the next time, and the file ends with the last whole piece.
    func flush() throws(SystemFile.Failure) {
        guard !pending.isEmpty else { return }
        do throws(SystemFile.Failure) {
            try SystemFile.write(pending, to: descriptor)
        } catch {
            ftruncate(descriptor, off_t(written))
            throw error
        }
        written += pending.count
        pending.removeAll()
    }

    /// Makes durable what was written.
    ///
    /// - Throws: The call that failed; `unlink` when somebody removed the file.
    func synchronise() throws(SystemFile.Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemFile.Failure("fstat") }
        guard status.st_nlink > 0 else { throw SystemFile.Failure("open", code: ENOENT) }
        guard fdatasync(descriptor) == 0 else { throw SystemFile.Failure("fdatasync") }
    }

    /// Appends a range of another file to this one; both must be flushed.
    func append(_ range: Range<Int>, of other: AppendedFile) throws(SystemFile.Failure) {
        var chunk = [UInt8](repeating: 0, count: min(range.count, 1 << 18))
        var at = range.lowerBound
        while at < range.upperBound {
            let count = pread(other.descriptor, &chunk, min(chunk.count, range.upperBound - at), off_t(at))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemFile.Failure("read", code: count < 0 ? errno : EIO) }
            append(Array(chunk[..<count]))
            try flush()
            at += count
        }
    }
}
