import StentorBase
import StentorWire

/// What a session machine has learned from the server, in words that all dialects share.
///
/// A machine appends its facts to an array that the caller uses again; the order is the order of events. Counting, latencies and matching
/// with what was sent are the business of whoever reads them.
public enum DeviceFact: Equatable, Sendable {
    /// The server has accepted the session; only this makes a device connected.
    case ready
    /// The server has refused the device for good: it must not dial again. The code is what the dialect has for it, for instance `1008`.
    case refusedForGood(code: String)

    /// The reply to the text of this sequence is known to have begun; its first message came at `firstShownAt`, which may lie back.
    case replyBegan(sequence: Int, firstShownAt: Instant)
    /// A message that is already shown was replaced or extended, so many nanoseconds after its previous piece.
    case replyEdited(gapNanoseconds: Int64)
    /// The reply to the text of this sequence is complete, after so many edits; may come again if the server answers twice.
    ///
    /// `endedAt` is when the end came; where only a quiet time told of it, that of the last piece.
    case replyEnded(sequence: Int, firstShownAt: Instant, endedAt: Instant, edits: Int)
    /// A message is complete that answers no known text and confirms no upload.
    case unmatchedReply
    /// What came back for a text is not what should have come; the text still waits.
    case corruptReply
    /// Nobody is there to receive the text of this sequence, so nothing can come of it: it counts as answered, without a latency.
    case replyExcused(sequence: Int)

    /// A text was handed over that so many others are to get; `away` of them cannot at this moment. See ``RoomLedger``.
    case deliveriesExpected(Int, away: Int, uncertain: Int)
    /// A text has reached one of those who were to get it, for the first time.
    case delivered(Delivery)
    /// A text reached someone once more.
    case deliveryDuplicated
    /// A text from before someone came, as a history that the server keeps.
    case deliveryReplayed
    /// A text reached someone who was not to get it.
    case deliveryUnexpected
    /// So many deliveries are past their deadline.
    case deliveriesLost(Int)
    /// So many deliveries cannot come any more: the receiver has gone.
    case deliveriesAway(Int)
    /// All who were to get a text have it.
    case fannedOut(due: Instant, at: Instant, phaseTag: UInt8)

    /// A card was shown, or shown again after a reconnect.
    case promptOpened(PromptCard)
    /// A card was closed with the option that was really applied (nil: none named); `isExpired` if its time was over.
    case promptClosed(id: String, optionID: String?, isExpired: Bool)

    /// The server says what it received of an upload; nil if it named no digest.
    case uploadConfirmed(id: String, bytes: Int, digest: SHA256Digest?)
    /// The server has refused an upload; nil if it did not say which.
    case uploadRefused(id: String?, code: String)
    /// The first part of a file has begun to arrive.
    case downloadBegan(id: String)
    /// A file is done with; `bytes` of it arrived whole, the first at `firstPartAt`.
    case downloadEnded(id: String, outcome: DownloadOutcome, bytes: Int, firstPartAt: Instant)

    /// The server reports an error; after a fatal one it will end the connection.
    case serverError(code: String, isFatal: Bool)
    /// A well-formed frame of a type that the dialect does not know: legal, only counted.
    case unknownFrame
    /// A message that is no frame of the dialect; it was ignored.
    case malformedFrame
    /// A text message where the dialect has binary ones, or the other way round; it was ignored.
    case wrongKind
}

/// The first arrival of a text at one of those who were to get it.
public struct Delivery: Equatable, Sendable {
    /// How it was accounted for until then.
    public enum Before: Equatable, Sendable {
        /// It was in doubt.
        case inDoubt
        /// It was lost.
        case lost
        /// The receiver had been away.
        case away
        /// It was not accounted for: whether the receiver was a member yet could not be told.
        case uncertain
    }

    /// When the text was due.
    public let due: Instant
    /// When it arrived.
    public let arrived: Instant
    /// What the sender gave for the phase of the text.
    public let phaseTag: UInt8
    /// How it was accounted for until then.
    public let before: Before
    /// Whether it came after its deadline.
    public let isLate: Bool
    /// Whether a later text of the same sender had arrived before.
    public let isReordered: Bool
}

/// How a download ended.
public enum DownloadOutcome: Equatable, Sendable {
    /// All parts came; verified if the sender had named size and digest and both match.
    case complete(verified: Bool)
    /// What came is wrong.
    case corrupt(DownloadFault)
    /// Not everything came.
    case incomplete(DownloadFault)
    /// The server named an address instead of sending the file; the device would fetch it by itself.
    case byReference
}

/// Why a download failed; closed, so that it can be a label.
public enum DownloadFault: String, CaseIterable, Sendable {
    /// A part is no strict base64.
    case badBase64 = "bad_base64"
    /// A part's index is not in 0 ..< parts, or the number of parts is impossible.
    case partOutOfRange = "part_out_of_range"
    /// Two parts of one file disagree on the number of parts.
    case partsChanged = "parts_changed"
    /// A part that came again, after its bytes were hashed and dropped, is not the same.
    case duplicateDiffers = "duplicate_differs"
    /// The file has another size than the sender said.
    case sizeMismatch = "size_mismatch"
    /// The file has another SHA-256 than the sender said.
    case digestMismatch = "digest_mismatch"
    /// No byte of the file came for too long.
    case timeout
    /// The connection was lost half-way.
    case connectionLost = "connection_lost"
    /// Too many files were open at once.
    case tooManyOpen = "too_many_open"
    /// The file is over the size limit.
    case tooLarge = "too_large"
}

/// How replies find the texts they answer.
public enum Correlation: String, CaseIterable, Sendable {
    /// By a marker in the text, which an echoing agent repeats. See ``ReplyMarker``.
    case marker
    /// By order: one turn of a device is open at a time, and what comes is its reply.
    case turn
}
