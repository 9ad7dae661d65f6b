import Glibc

/// The system calls on files that the report needs.
enum SystemFile {
    /// A call that failed: its name and the system's text for `errno`.
    struct Failure: Error, Equatable {
        let call: String
        let code: Int32

        init(_ call: String, code: Int32 = errno) {
            (self.call, self.code) = (call, code)
        }

        /// For instance `No space left on device`.
        var text: String { String(cString: strerror(code)) }
    }

    /// The whole of a small file as text; nil when it cannot be read.
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 1 << 20 {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The whole of a file.
    ///
    /// - Parameter limit: A longer file is a failure (`EFBIG`): it would not fit the memory.
    static func readAll(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("open") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure("fstat") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("open", code: EISDIR) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(limit, Int(status.st_size)))
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure("read") }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { throw Failure("read", code: EFBIG) }
            bytes += chunk[..<count]
        }
    }

    /// Makes a directory.
    ///
    /// - Returns: False when something of this name exists already.
    static func makeDirectory(_ path: String, mode: mode_t = 0o755) throws(Failure) -> Bool {
        if mkdir(path, mode) == 0 { return true }
        let code = errno
        guard code == EEXIST else { throw Failure("mkdir", code: code) }
        return false
    }

    /// Whether there is a directory, or a link to one.
    static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Puts a file in place whole: a temporary file beside it, fsync, rename, fsync of the directory.
    ///
    /// After a failure the file is what it was before, and the temporary one is gone.
    static func replace(_ name: String, in directory: String, with bytes: [UInt8]) throws(Failure) {
        let temporary = "\(directory)/.\(name).tmp"
        do throws(Failure) {
            try create(temporary, bytes)
            guard rename(temporary, "\(directory)/\(name)") == 0 else { throw Failure("rename") }
        } catch {
            unlink(temporary)
            throw error
        }
        try synchronise(directory: directory)
    }

    /// Makes the names in a directory durable.
    static func synchronise(directory: String) throws(Failure) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("open") }
        defer { close(descriptor) }
        // Some network file systems know no fsync on a directory; the rename is all they offer.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw Failure("fsync") }
    }

    private static func create(_ path: String, _ bytes: [UInt8]) throws(Failure) {
        // A killed run may have left one; a link in its place must not lead elsewhere.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure("open") }
        do throws(Failure) {
            try write(bytes, to: descriptor)
            guard fsync(descriptor) == 0 else { throw Failure("fsync") }
        } catch {
            close(descriptor)
            throw error
        }
        guard close(descriptor) == 0 else { throw Failure("close") }
    }

    /// Writes all of the bytes, or as much as goes before a failure.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure("write") }
            written += count
        }
    }
}
