/// One item that did not arrive as it should, with the device it belongs to: a line of `offenders.jsonl`.
///
/// Noted with ``MetricShard/note(_:)``. Times are seconds since the start of the run, on the monotonic clock.
public struct OffenderRecord: Sendable, Equatable {
    /// What kind of thing it is.
    public enum Item: String, CaseIterable, Sendable {
        /// A text to the server.
        case text
        /// A file to the server.
        case upload
        /// A file from the server.
        case download
        /// A question of the server.
        case prompt
    }

    /// What happened to it.
    public enum Fate: String, CaseIterable, Sendable {
        /// No answer at its deadline.
        case lost
        /// Answered after its deadline.
        case late
        /// Answered more than once.
        case duplicated
        /// Answered before an earlier one of its device.
        case reordered
        /// Another size or digest than was sent.
        case corrupt
        /// Given up half-way.
        case incomplete
    }

    /// The device's stable id, as the profile forms it.
    public var device: String
    /// What kind of thing it is.
    public var item: Item
    /// Its number among the device's items of this kind, from 1, as a text's marker has it; nil when it has none, such as a file from the server.
    public var sequence: Int?
    /// What happened to it.
    public var fate: Fate
    /// When it was due; nil when nothing was due.
    public var dueSeconds: Double?
    /// When it was handed to the kernel, or when its first part was received; nil when neither happened.
    public var startedSeconds: Double?
    /// When its fate was known.
    public var knownSeconds: Double
    /// More about it in a few words, such as a reason; may be text of the server and is cut to 200 characters. Empty: nothing.
    public var detail: String
    /// What happened to the item and its device from when it was due until its fate was known, in the order of time; at most ``eventLimit``.
    public var timeline: [DeviceEvent]

    /// How many events a timeline has at most; of a longer one the latest are kept.
    public static let eventLimit = 24

    /// Makes a record; what is not given is not known.
    ///
    /// - Parameter timeline: In any order; it is sorted, and events at the same time keep theirs.
    public init(
        device: String, item: Item, sequence: Int? = nil, fate: Fate, dueSeconds: Double? = nil, startedSeconds: Double? = nil,
        knownSeconds: Double, detail: String = "", timeline: [DeviceEvent] = []
    ) {
        (self.device, self.item, self.sequence, self.fate) = (device, item, sequence, fate)
        (self.dueSeconds, self.startedSeconds, self.knownSeconds) = (dueSeconds, startedSeconds, knownSeconds)
        self.detail = String(detail.prefix(200))
        // The standard library's sort is stable.
        self.timeline = timeline.sorted { $0.seconds < $1.seconds }.suffix(Self.eventLimit)
    }
}
