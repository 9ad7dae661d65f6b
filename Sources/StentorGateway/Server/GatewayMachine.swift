import StentorBase
import StentorWire

/// What becomes of a request to upgrade.
enum UpgradeVerdict: Equatable {
    /// Upgrade it; these are the tokens of its query.
    case accept(tokens: [String])
    /// Answer with a status.
    case refuse(status: Int)
}

/// A simulated gateway without its sockets: events and the time go in, actions come out.
///
/// Pure: no I/O, no clock. Sockets are named by index; an index is free again after ``ended(_:at:)``. After each event the server performs
/// ``output`` and empties it.
protocol GatewayMachine: ~Copyable, SendableMetatype {
    /// The path that devices open, for instance `/ws`.
    static var path: String { get }

    /// Makes a gateway that nobody has connected to.
    init(_ options: GatewayOptions)

    /// What is to be done.
    var output: GatewayOutput { get set }
    /// The content of the photos that it sends; nil: it sends none.
    var photos: PhotoSource? { get }
    /// The photo that a plain request may fetch at a path.
    func photo(at path: String) -> PhotoSource.Photo?

    /// It listens: downloads lie under this origin, and what goes by the time since the start counts from now. `wallSeconds` is Unix time.
    mutating func began(origin: String, at now: Instant, wallSeconds: Double)
    /// Judges a request to upgrade.
    mutating func judgeUpgrade(path: String, query: [QueryItem]) -> UpgradeVerdict
    /// Takes a connection whose upgrade was accepted, and gives its index.
    mutating func opened(tokens: [String], at now: Instant) -> Int

    /// Takes a whole message.
    mutating func message(_ index: Int, _ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, at now: Instant)
    /// Begins a message that comes in pieces.
    mutating func messageBegan(_ index: Int, _ kind: MessageKind)
    /// Takes a piece.
    mutating func messagePiece(_ index: Int, _ bytes: UnsafeRawBufferPointer)
    /// Ends a message that came in pieces.
    mutating func messageEnded(_ index: Int, at now: Instant)
    /// Notes that the answer to a ping came.
    mutating func pong(_ index: Int)

    /// Notes the peer's close frame; the server answers it by itself.
    mutating func closeReceived(_ index: Int, code: UInt16?, at now: Instant)
    /// Notes that the peer broke RFC 6455, or sent too long a message; the server sends the close frame.
    mutating func failed(_ index: Int, _ failure: WebSocketFailure, at now: Instant)
    /// Notes that a connection is gone, however that came; its index is free from now on.
    mutating func ended(_ index: Int, at now: Instant)

    /// Does what is due on a socket.
    mutating func socketDue(_ index: Int, at now: Instant)
    /// Does what is due for a device.
    mutating func deviceDue(_ index: Int, at now: Instant)
    /// Ends every connection as a restart does.
    mutating func restart(at now: Instant)
    /// Notes that a restart is over.
    mutating func restarted()
    /// Closes every connection with 1001; those that play dead are reset.
    mutating func stop()

    /// The totals as one line of JSON, without an end of line.
    func totals() -> String
}

extension GatewayMachine where Self: ~Copyable {
    var photos: PhotoSource? { nil }
    func photo(at path: String) -> PhotoSource.Photo? { nil }
    mutating func deviceDue(_ index: Int, at now: Instant) {}
}

/// A simulated gateway of any dialect, on one event loop. Loop thread only.
///
/// Life: made by ``GatewayKind/make(options:loop:report:)`` → ``start()`` → … → ``stop()`` → ``totalsJSON()``.
public protocol SimulatedGateway: AnyObject {
    /// The port that it listens on; 0 before ``start()``.
    var port: UInt16 { get }
    /// Where it listens, for instance `ws://127.0.0.1:8787/ws`; meaningless before ``start()``.
    var url: String { get }
    /// Begins to listen, and starts the clock of the options that go by the time since the start.
    ///
    /// - Throws: A ``UserFailure`` `.machine` placed at `--listen` when the address cannot be had.
    func start() throws(UserFailure)
    /// Closes every connection with 1001 and waits until they have ended, at most 5 s; then cuts the rest. To be awaited once, by a task that
    /// prefers the loop.
    func stop() async
    /// Ends all connections as the options say, and refuses new ones for as long as they say.
    ///
    /// - Parameter back: Called when it listens again.
    func restart(_ back: @escaping () -> Void)
    /// What it saw and did, as one line of JSON without an end of line; at any time, final after ``stop()``.
    func totalsJSON() -> String
}

extension SimulatedGateway {
    /// The line that tells others where it listens: `listening on ws://127.0.0.1:8787/ws`.
    public var listeningText: String { "listening on \(url)" }
}
