import CStentorSystem
import StentorBase
import Synchronization

/// Looks names up on threads of its own, so that no loop ever waits for DNS.
///
/// Lookups of one name at one time are one query; an answer serves for ``cacheSeconds``, because thousands of devices behind one resolver
/// would measure the resolver instead of the gateway.
public final class Resolver: Sendable {
    /// What a lookup gave: addresses in the system's order (RFC 6724), or the resolver's text.
    public enum Answer: Sendable, Equatable {
        /// At least one address.
        case addresses([SocketAddress])
        /// The name does not resolve; the text is getaddrinfo's.
        case failed(String)
    }

    /// How long an answer serves, in seconds.
    public static let cacheSeconds: Int64 = 5

    private struct Key: Hashable {
        let host: String
        let port: UInt16
    }
    private enum Entry {
        case asking([@Sendable (Answer) -> Void])
        case known(Answer, until: Instant)
    }
    private let entries = Mutex<[Key: Entry]>([:])

    /// Makes an empty resolver.
    public init() {}

    /// Resolves a host; `completion` comes on the calling thread for literals and cached names, else on a thread of the resolver.
    public func lookUp(host: String, port: UInt16, _ completion: @escaping @Sendable (Answer) -> Void) {
        if let literal = SocketAddress(literal: host, port: port) { return completion(.addresses([literal])) }
        let key = Key(host: host, port: port)
        let (cached, mustAsk) = entries.withLock { entries -> (Answer?, Bool) in
            switch entries[key] {
            case .known(let answer, let until) where until > .now(): return (answer, false)
            case .asking(let waiters):
                entries[key] = .asking(waiters + [completion])
                return (nil, false)
            case .known, nil:
                entries[key] = .asking([completion])
                return (nil, true)
            }
        }
        if let cached { return completion(cached) }
        // The thread ends by itself with its one query; getaddrinfo cannot be called off.
        if mustAsk { _ = LoopThread(name: "dns") { self.ask(key) } }
    }

    private func ask(_ key: Key) {
        let answer = Self.query(key.host, key.port)
        let waiters = entries.withLock { entries -> [@Sendable (Answer) -> Void] in
            guard case .asking(let waiters) = entries[key] else { return [] }
            entries[key] = .known(answer, until: .now() + .seconds(Self.cacheSeconds))
            return waiters
        }
        for waiter in waiters { waiter(answer) }
    }

    private static func query(_ host: String, _ port: UInt16) -> Answer {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { return .failed(String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var node = list
        while let info = node?.pointee {
            if let pointer = info.ai_addr { addresses.append(SocketAddress(pointer, length: Int(info.ai_addrlen))) }
            node = info.ai_next
        }
        return addresses.isEmpty ? .failed("no address") : .addresses(addresses)
    }
}
