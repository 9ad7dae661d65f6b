import Foundation
import StentorBase
import TestSupport

/// A port of this machine, taken and not listened on: every dial is refused for as long as this lives.
final class DeadPort: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        port = try LocalAddress.bind(descriptor)
    }

    deinit { close(descriptor) }
}

/// A listener that takes connections, and answers nothing, ever.
final class HangingServer: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        port = try LocalAddress.bind(descriptor)
        // The kernel completes handshakes by itself; nobody accepts.
        guard listen(descriptor, 64) == 0 else { throw ChildFailure("cannot listen: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }
}

/// Ports of 127.0.0.1.
enum LocalAddress {
    /// A port that was free a moment ago, for a program that cannot be asked to choose one.
    static func freePort() throws -> UInt16 { try DeadPort().port }

    fileprivate static func bind(_ descriptor: Int32) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw ChildFailure("no local port: \(String(cString: strerror(errno)))") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits until something listens.
    static func awaitListener(on port: UInt16) async throws {
        _ = try await eventually("listener on port \(port)") { try isListening(port) ? true : nil }
    }

    private static func isListening(_ port: UInt16) throws -> Bool {
        let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .ascii)
        let digits = String(port, radix: 16, uppercase: true)
        let end = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        return table.split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            return words.count > 3 && words[1].hasSuffix(end) && words[3] == "0A"
        }
    }
}
