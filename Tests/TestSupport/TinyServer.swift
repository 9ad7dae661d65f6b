import Foundation
import Synchronization

/// An HTTP server of a few lines on a free port: answers each connection's one request by a script.
public final class TinyServer: Sendable {
    /// What it says to one request.
    public enum Answer: Sendable {
        /// A status with extra header lines and a body.
        case status(Int, headers: [String] = [], body: String = "")
        /// A status, once ``TinyServer/release()`` was called.
        case held(Int)
        /// Nothing until the client goes away.
        case silence
        /// A byte of a header each 10 ms until the client goes away.
        case dribble
        /// The request's Authorization header as the body of a 400.
        case echoAuthorization
    }

    /// What it was asked.
    public struct Request: Sendable {
        /// For instance `PUT`.
        public let method: String
        /// The request's target.
        public let path: String
        /// Header fields by their names in lower case.
        public let headers: [String: String]
        /// The body as text.
        public let body: String
    }

    /// Where it listens, on 127.0.0.1.
    public let port: Int
    private let listener: Int32
    private let script: Mutex<[Answer]>
    private let received = Mutex<[Request]>([])
    private let arrivals = DispatchSemaphore(value: 0)
    private let releases = DispatchSemaphore(value: 0)
    private let departures = DispatchSemaphore(value: 0)

    /// Starts; the last answer of the script repeats.
    public init(_ script: Answer...) {
        self.script = Mutex(script)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                precondition(bind(listener, pointer, length) == 0 && listen(listener, 16) == 0, "TinyServer: cannot listen")
                getsockname(listener, pointer, &length)
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread { [self] in serve(connection) }
            }
            // Not before: another server could get the number, and this thread its connections.
            close(listener)
        }
    }

    /// Its address.
    public var url: String { "http://127.0.0.1:\(port)" }
    /// The requests so far.
    public var requests: [Request] { received.withLock { $0 } }

    /// Lets a held answer go.
    public func release() { releases.signal() }
    /// Waits for the next request; false after ten seconds.
    public func awaitRequest() -> Bool { arrivals.wait(timeout: .now() + 10) == .success }
    /// Waits until a client has left a silent connection; false after ten seconds.
    public func awaitDeparture() -> Bool { departures.wait(timeout: .now() + 10) == .success }
    /// Stops listening.
    public func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        guard let request = read(connection) else { return }
        let answer = script.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        received.withLock { $0.append(request) }
        arrivals.signal()
        switch answer {
        case .status(let status, let headers, let body): write(connection, status, headers, body)
        case .held(let status):
            releases.wait()
            write(connection, status, [], "")
        case .silence:
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
            departures.signal()
        case .dribble:
            _ = send(connection, "HTTP/1.1 200 OK\r\nX: ", 20, Int32(MSG_NOSIGNAL))
            while send(connection, "x", 1, Int32(MSG_NOSIGNAL)) == 1 { usleep(10_000) }
            departures.signal()
        case .echoAuthorization: write(connection, 400, [], "bad header: \(request.headers["authorization"] ?? "none")")
        }
    }

    private func write(_ connection: Int32, _ status: Int, _ headers: [String], _ body: String) {
        let head = ["HTTP/1.1 \(status) X", "Connection: close", "Content-Length: \(body.utf8.count)"] + headers
        let text = head.joined(separator: "\r\n") + "\r\n\r\n" + body
        _ = text.withCString { send(connection, $0, text.utf8.count, Int32(MSG_NOSIGNAL)) }
    }

    private func read(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
                let words = lines[0].split(separator: " ").map(String.init)
                let pairs = lines.dropFirst().map { line in
                    let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                    return (parts[0].lowercased(), parts.count > 1 ? parts[1] : "")
                }
                let headers = Dictionary(pairs) { $0 + "," + $1 }
                let body = text[end.upperBound...]
                if body.utf8.count >= Int(headers["content-length"] ?? "0") ?? 0 {
                    return Request(method: words[0], path: words[1], headers: headers, body: String(body))
                }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }
}
