/// Something with a file descriptor that the loop watches.
///
/// A source is registered with one loop, is called on its thread only, and stays alive while it is registered.
public class EventSource {
    /// The place in the loop's table, or -1 while not registered.
    final var slot: Int32 = -1

    /// Handles readiness; `events` holds epoll's bits.
    func ready(_ events: UInt32) {
        preconditionFailure("EventSource: ready is not overridden")
    }

    /// The loop ends: gives up the descriptor and tells whoever waits.
    func loopEnded() {}
}
