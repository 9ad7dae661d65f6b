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
