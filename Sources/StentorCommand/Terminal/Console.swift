import Glibc

/// What a standard stream is connected to, and how much of a terminal may be used.
public struct ConsoleTraits: Sendable, Equatable {
    /// Whether the stream is a terminal that understands cursor movements.
    public let isTerminal: Bool
    /// Whether colours may be used: a terminal, and no `NO_COLOR` (no-color.org: set and not empty).
    public let hasColours: Bool
    /// Columns; 80 when unknown.
    public let columns: Int
    /// Rows; 24 when unknown.
    public let rows: Int

    /// Decides from facts.
    ///
    /// - Parameters:
    ///   - isTerminal: What `isatty` said.
    ///   - size: The terminal's size; nil or 0: not known.
    ///   - environment: Looks a variable up; `TERM`, `NO_COLOR`, `COLUMNS` and `LINES` are asked for.
    public init(isTerminal: Bool, size: (columns: Int, rows: Int)?, environment: (String) -> String?) {
        let isCapable = isTerminal && environment("TERM") != "dumb"
        self.isTerminal = isCapable
        hasColours = isCapable && (environment("NO_COLOR") ?? "").isEmpty
        columns = Self.first([size?.columns, environment("COLUMNS").flatMap { Int($0) }], orElse: 80)
        rows = Self.first([size?.rows, environment("LINES").flatMap { Int($0) }], orElse: 24)
    }

    private static func first(_ candidates: [Int?], orElse fallback: Int) -> Int {
        candidates.compactMap(\.self).first { $0 > 0 } ?? fallback
    }
}

/// The process's standard streams: results go to stdout, everything else to stderr.
///
/// Writing blocks until the text is with the kernel. Any thread; writes of different threads do not mix within a call up to
/// `PIPE_BUF` bytes.
public struct Console: Sendable {
    private let output: Int32
    private let errors: Int32

    /// Makes a console.
    ///
    /// - Parameters:
    ///   - output: The descriptor of results. Default: stdout. Not closed.
    ///   - errors: The descriptor of progress and failures. Default: stderr. Not closed.
    public init(output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO) {
        self.output = output
        self.errors = errors
    }

    /// What stderr is connected to now; the size of a terminal may change between two calls.
    public var errorTraits: ConsoleTraits { traits(of: errors) }

    /// What stdout is connected to now.
    public var outputTraits: ConsoleTraits { traits(of: output) }

    /// Writes a result to stdout.
    ///
    /// - Returns: False when it could not be written whole, for instance to a full disk: a result that is lost is a failure.
    public func write(_ text: String) -> Bool {
        Self.write(text, to: output)
    }

    /// Writes a result to stdout, and says so on stderr when it could not be written whole.
    func writeResult(_ text: String) -> Bool {
        if write(text) { return true }
        report("stentor: the result could not be written to stdout\n")
        return false
    }

    /// Writes progress or a failure to stderr; there is nowhere to complain when that does not work.
    public func report(_ text: String) {
        _ = Self.write(text, to: errors)
    }

    private func traits(of descriptor: Int32) -> ConsoleTraits {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return ConsoleTraits(
            isTerminal: isatty(descriptor) == 1, size: isKnown ? (Int(size.ws_col), Int(size.ws_row)) : nil,
            environment: { name in getenv(name).map { String(cString: $0) } })
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                } else if errno == EAGAIN || errno == EWOULDBLOCK {
                    // A terminal shared with a program that made it non-blocking.
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&ready, 1, -1)
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }
}
