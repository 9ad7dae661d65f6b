import Glibc
import StentorBase
import StentorLoop
import StentorProfile

/// The local ports that dials of this machine can take.
///
/// A dial takes a port of `net.ipv4.ip_local_port_range`, also for IPv6, less `ip_local_reserved_ports`; it is taken as long as a socket to
/// the same port of the target has it, in whatever state, TIME_WAIT included. Sockets to other places do not matter: connections are told
/// apart by all four numbers (`inet_hash_connect` of Linux).
public struct LocalPorts: Sendable, Equatable {
    /// The range that the kernel takes ports from.
    public let range: ClosedRange<Int>
    /// How many ports of the range it must leave alone.
    public let reservedCount: Int

    /// Makes a range, for instance of a machine that is only thought of.
    public init(range: ClosedRange<Int>, reservedCount: Int = 0) {
        (self.range, self.reservedCount) = (range, reservedCount)
    }

    /// Reads the kernel's settings in /proc; nil when they cannot be read. Blocks.
    public static func ofThisMachine() -> LocalPorts? {
        let folder = "/proc/sys/net/ipv4/"
        let bounds = ProcFile.text(folder + "ip_local_port_range")?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) } ?? []
        guard bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
        let range = bounds[0]...bounds[1]
        return LocalPorts(range: range, reservedCount: count(of: ProcFile.text(folder + "ip_local_reserved_ports") ?? "", in: range))
    }

    /// Ports that can be taken to one port of a target from so many source addresses.
    public func total(addresses: Int) -> Int { max(0, range.count - reservedCount) * max(1, addresses) }

    /// How many of them are left now; nil when the sockets cannot be read. Blocks, in proportion to the machine's sockets.
    ///
    /// - Parameter port: The target's.
    public func left(addresses: Int, towards port: Int) -> Int? {
        guard let taken = taken(towards: port) else { return nil }
        return max(0, total(addresses: addresses) - taken)
    }

    private func taken(towards port: Int) -> Int? {
        var count = SocketCount(local: range, remote: port)
        guard ProcFile.read("/proc/net/tcp", { count.take($0) }) else { return nil }
        count.endTable()
        // A machine without IPv6 has no such file.
        _ = ProcFile.read("/proc/net/tcp6") { count.take($0) }
        return count.sockets
    }

    /// How many ports of a range a list such as `8080,9148-9152` names; the kernel writes it without overlaps.
    static func count(of list: String, in range: ClosedRange<Int>) -> Int {
        list.split(whereSeparator: { $0 == "," || $0.isWhitespace }).reduce(0) { sum, item in
            let ends = item.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first <= last, last <= 65_535 else { return sum }
            return sum + (first...last).count { range.contains($0) }
        }
    }
}

/// Counts sockets in the text of /proc/net/tcp (proc(5)), in whatever pieces it comes.
struct SocketCount {
    private let local: ClosedRange<Int>
    private let remote: Int
    /// Sockets with such a local and such a remote port.
    private(set) var sockets = 0
    private var field = 0
    private var isInField = false
    private var number = 0
    private var localPort = 0
    private var remotePort = 0
    private var isHead = true

    init(local: ClosedRange<Int>, remote: Int) {
        (self.local, self.remote) = (local, remote)
    }

    /// Another table begins, with a line of titles.
    mutating func endTable() { (isHead, field, isInField) = (true, 0, false) }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { take(byte) }
    }

    private mutating func take(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\n"): endLine()
        case UInt8(ascii: " "): endField()
        // What stands before a colon is an address or the row's number.
        case UInt8(ascii: ":"): number = 0
        default:
            isInField = true
            guard field < 3 else { return }
            number = (number << 4 | Self.digit(byte)) & 0xFFFF
        }
    }

    private mutating func endField() {
        guard isInField else { return }
        isInField = false
        if field == 1 { localPort = number } else if field == 2 { remotePort = number }
        field += 1
        number = 0
    }

    private mutating func endLine() {
        endField()
        if !isHead, field > 3, remotePort == remote, local.contains(localPort) { sockets += 1 }
        (isHead, field) = (false, 0)
    }

    private static func digit(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: 0
        }
    }
}

/// Reads files of /proc, which have no size.
enum ProcFile {
    /// Hands the content over in pieces; false when it cannot be read.
    static func read(_ path: String, _ piece: (UnsafeRawBufferPointer) -> Void) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 16) { buffer in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count == 0 }
                piece(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    /// The whole as text; nil when it cannot be read.
    static func text(_ path: String) -> String? {
        var bytes: [UInt8] = []
        return read(path) { bytes += $0 } ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
