import StentorBase

/// A token that serves one device id only.
public struct BoundToken: Sendable, Equatable {
    /// The device id.
    public let id: String
    /// Its token.
    public let token: Secret

    /// Binds a token to a device id.
    public init(id: String, token: Secret) {
        self.id = id
        self.token = token
    }
}

/// One decoded item of a query.
public struct QueryItem: Sendable, Equatable {
    /// What stands before the first `=`.
    public let key: String
    /// What stands after it; empty without one.
    public let value: String

    /// Makes an item of decoded texts.
    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// How a bad token is refused.
public enum Refusal: String, CaseIterable, Sendable {
    /// The upgrade succeeds; hello is answered with a fatal error and close code 1008.
    case close1008 = "1008"
    /// The upgrade is answered with HTTP 401.
    case http401 = "401"
    /// The upgrade is answered with HTTP 403.
    case http403 = "403"
}

/// What a second socket of one device id does to the first.
public enum SecondSocket: String, CaseIterable, Sendable {
    /// The older one is closed with 4001.
    case close
    /// Both get everything.
    case fanout
}

/// Which mood frames surround a reply.
public enum Moods: String, CaseIterable, Sendable {
    /// `typing` and `avatar`.
    case all
    /// `typing` only.
    case typing
    /// `avatar` only.
    case avatar
    /// None.
    case none
}

/// What becomes of a reply that is due while its device has no socket.
public enum WhileAway: String, CaseIterable, Sendable {
    /// It is dropped and counted as unsent.
    case drop
    /// It waits and goes out after the next ready.
    case hold
}

/// What a restart does to the connections.
public enum RestartStyle: String, CaseIterable, Sendable {
    /// Closes each with 1001.
    case close
    /// Resets each (RST).
    case reset
    /// Leaves each open and never answers again.
    case silence
}

/// A card that the gateway can offer.
public enum PromptOffer: String, CaseIterable, Sendable {
    /// `exec_approval` with all four options.
    case execApproval = "exec_approval"
    /// `exec_approval` with `once` and `deny` only.
    case execApprovalFew = "exec_approval_few"
    /// `slash_confirm`.
    case slashConfirm = "slash_confirm"
    /// `clarify` with three choices and `other`.
    case clarify
    /// `clarify` without options: a free text.
    case clarifyFree = "clarify_free"
}

/// What a device gets after a reconnect about cards that are open or were closed meanwhile.
public enum PromptResend: String, CaseIterable, Sendable {
    /// Open cards again, and the end of closed ones.
    case card
    /// Only the end of closed ones.
    case done
    /// Nothing.
    case none
}

/// What is wrong with every photo that the gateway sends.
public enum PhotoFault: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// Parts come in reverse order.
    case shuffle
    /// The first part comes twice.
    case duplicate
    /// The last part never comes.
    case missing
    /// The last part is no base64.
    case badBase64 = "bad_base64"
    /// The last part has an index past the end.
    case outOfRange = "out_of_range"
    /// The last part names another count of parts.
    case partsChanged = "parts_changed"

    /// Whether the fault needs a photo of at least two parts to show.
    var needsTwoParts: Bool {
        switch self {
        case .shuffle, .duplicate, .missing, .partsChanged: true
        case .none, .badBase64, .outOfRange: false
        }
    }
}

/// How a photo travels to a device.
public enum PhotoTransport: String, CaseIterable, Sendable {
    /// As base64 in `media` frames.
    case data
    /// As the address of a plain HTTP download.
    case url
}
