/// Something that happened to a device, in the timeline of an item that did not arrive as it should.
public struct DeviceEvent: Sendable, Equatable {
    /// What happened.
    public enum Kind: String, CaseIterable, Sendable {
        // The item's own way.
        /// It was due.
        case due
        /// Its first byte was handed to the kernel; of files only.
        case begun
        /// Its last byte was handed to the kernel.
        case sent
        /// The first part of a file came from the server.
        case firstPart = "first_part"
        /// The first message of its reply came.
        case replyBegan = "reply_began"
        /// Its reply was complete; a second one stands for a duplicate.
        case replied
        /// The server said what it got, or that it refuses it.
        case confirmed
        /// Its deadline passed.
        case deadline
        // What else the device saw.
        /// The reply to another text of the device was complete; its number is that text's.
        case otherReplied = "other_replied"
        /// The last bytes of a message of the server came.
        case heard
        // Its connections.
        /// It dialled; the number counts dials since the last loss.
        case dialled
        /// A dial did not lead to a usable connection; the cause is one of `dial_failures`, the number an HTTP status.
        case dialFailed = "dial_failed"
        /// It was accepted.
        case ready
        /// Its ready connection ended; the cause is one of `connection_losses`, the number a close code.
        case lost
        /// A fault made its socket play dead: nothing is read or written any more.
        case silenced
        /// Its app went to the background.
        case suspended
        /// Its app came back.
        case resumed
        /// Events of its connections before this one are not kept.
        case leftOut = "left_out"
    }

    /// When, in seconds since the start of the run.
    public var seconds: Double
    /// What.
    public var kind: Kind
    /// Why, from a closed set; empty: there is nothing to say.
    public var cause: String
    /// What the kind says; nil: nothing.
    public var number: Int?

    /// Makes an event.
    public init(_ kind: Kind, seconds: Double, cause: String = "", number: Int? = nil) {
        (self.kind, self.seconds, self.cause, self.number) = (kind, seconds, cause, number)
    }
}
