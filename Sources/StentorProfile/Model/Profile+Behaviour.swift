extension Profile {
    /// What each device does, each part an open, scheduled process of its own; a part that is nil does not happen.
    public struct Behaviour: Sendable, Equatable {
        /// Texts that devices send.
        public let text: Text?
        /// Photos that devices send.
        public let photo: Photo?
        /// How devices answer prompts; nil leaves all prompts open.
        public let prompts: Prompts?
        /// WebSocket pings that devices send; nil sends none.
        public let ping: Ping?
        /// How the app goes to the background; nil: it never does.
        public let away: Away?
    }

    /// How due instants are spread in time.
    public enum Spacing: String, CaseIterable, Sendable {
        /// At equal distances, from a random phase per device.
        case even
        /// As a Poisson process: exponentially distributed distances.
        case poisson
    }

    /// How a reply is matched to its text.
    public enum Correlation: String, CaseIterable, Sendable {
        /// By a marker in the text that an echoing agent repeats.
        case marker
        /// By allowing one open turn per device.
        case turn
    }

    /// Texts that each device sends.
    public struct Text: Sendable, Equatable {
        /// Mean time between two texts of one device, more than 0.
        public let every: Duration
        /// How due instants are spread; default even.
        public let spacing: Spacing
        /// Size of a text in UTF-8 bytes, within what the dialect allows (20 B...1 MiB where a marker needs room); default 20...400.
        public let bodyBytes: ClosedRange<Int>
        /// Deadline from due to the whole reply, more than 0; default 60 s.
        public let replyWithin: Duration
        /// How a reply is matched to its text; default marker.
        public let correlation: Correlation
    }

    /// Photos that each device sends.
    public struct Photo: Sendable, Equatable {
        /// Mean time between two photos of one device, more than 0.
        public let every: Duration
        /// How due instants are spread; default even.
        public let spacing: Spacing
        /// Size of a photo in bytes before base64, 1 B...256 MiB; default 1 MiB...3 MiB.
        public let sizeBytes: ClosedRange<Int>
        /// Deadline from due to the confirmation, more than 0; default 2 min.
        public let replyWithin: Duration
    }

    /// How devices answer prompts.
    public struct Prompts: Sendable, Equatable {
        /// Time from the prompt's arrival to the answer, 0 or more; default 1 s...5 s.
        public let think: ClosedRange<Duration>
        /// Share of each kind of answer; default: all approve.
        public let answers: Answers
    }

    /// Shares of the kinds of answer; each 0...1, together 1.
    public struct Answers: Sendable, Equatable {
        /// An option that agrees.
        public let approve: Double
        /// An option that refuses.
        public let deny: Double
        /// A free text, or another option.
        public let other: Double
        /// No answer at all: the prompt is left to expire.
        public let ignore: Double
    }

    /// WebSocket pings that each device sends.
    public struct Ping: Sendable, Equatable {
        /// Time between two pings of one device, more than 0.
        public let every: Duration
        /// Deadline of the pong, more than 0; default 10 s.
        public let pongWithin: Duration
    }

    /// Devices whose app is in the background now and then.
    public struct Away: Sendable, Equatable {
        /// Mean time between two absences of one device, more than 0, from a random phase per device.
        public let every: Duration
        /// How long an absence takes, more than 0.
        public let length: ClosedRange<Duration>
        /// What happens to the connection; default suspend.
        public let how: Absence
    }

    /// What happens to the connection of a device that is away.
    public enum Absence: String, CaseIterable, Sendable {
        /// The socket goes silent, and the device resumes it later: what arrived is read then.
        case suspend
        /// The device closes in order and dials again later.
        case leave
    }
}
