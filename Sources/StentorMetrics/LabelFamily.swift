import StentorBase

/// Counts that are split by a label.
///
/// The families are closed; their labels are closed causes or capped (``CappedCounts``).
public enum LabelFamily: Int, CaseIterable, Sendable {
    /// Dials that failed, by ``DialCause``.
    case dialFailures
    /// Ready connections that ended, by ``LossCause``.
    case losses
    /// Close frames received, by code.
    case closeCodes
    /// Error messages of the server, by its code.
    case serverErrors
    /// Answers to upgrades other than 101, by status.
    case httpStatuses
    /// Messages sent, by type.
    case framesSent
    /// Messages received, by type.
    case framesReceived
    /// Files not received intact, by reason.
    case downloadFailures

    /// The name in reports and documents.
    public var name: String { definition.name }
    /// The name of its label.
    public var label: String { definition.label }
    /// What is counted, in one sentence; the help text of its Prometheus counter.
    public var help: String { definition.help }
    /// The labels that it can have, where they are a closed list; empty where a peer chooses them.
    public var closedLabels: [String] {
        switch self {
        case .dialFailures: DialCause.allCases.map(\.rawValue)
        case .losses: LossCause.allCases.map(\.rawValue)
        case .closeCodes, .serverErrors, .httpStatuses, .framesSent, .framesReceived, .downloadFailures: []
        }
    }
    /// The name of its Prometheus counter.
    public var prometheusName: String { "stentor_\(name)_total" }

    private var definition: (name: String, label: String, help: String) {
        switch self {
        case .dialFailures: ("dial_failures", "cause", "Dials that did not lead to a ready connection, by cause.")
        case .losses: ("connection_losses", "cause", "Ready connections that ended, by cause.")
        case .closeCodes: ("close_codes", "code", "Close frames received, by code.")
        case .serverErrors: ("server_error_codes", "code", "Error messages of the server, by its code.")
        case .httpStatuses: ("http_statuses", "status", "Answers to an upgrade other than 101, by status.")
        case .framesSent: ("sent_frame_types", "type", "Messages of the dialect sent, by type.")
        case .framesReceived: ("received_frame_types", "type", "Messages of the dialect received, by type.")
        case .downloadFailures: ("download_failures", "reason", "Files not received intact, by reason.")
        }
    }
}

/// Counts by label, for labels that a peer may choose: at most ``capacity`` distinct ones, the rest is counted as `other`.
///
/// Labels are cut to 64 bytes; what is not a letter, digit, `_`, `-`, `.`, `:` of ASCII becomes `_`; an empty one becomes `none`. So
/// untrusted text can neither grow the memory nor leave its place in a report.
public struct CappedCounts: Sendable, Equatable {
    /// How many distinct labels are kept, besides `other`.
    public static let capacity = 32
    /// The label that takes what is over the capacity.
    public static let overflow = "other"

    private var counts: [String: Int64] = [:]

    /// Makes an empty set of counts, without memory of its own.
    public init() {}

    /// Whether nothing was counted.
    public var isEmpty: Bool { counts.isEmpty }
    /// The sum over all labels.
    public var sum: Int64 { counts.values.reduce(0, &+) }
    /// The labels with their counts: most frequent first, then by label.
    public var sorted: [(label: String, count: Int64)] {
        counts.map { (label: $0.key, count: $0.value) }.sorted { ($1.count, $0.label) < ($0.count, $1.label) }
    }
    /// The count of a label as it is kept; 0 when it was not counted.
    public subscript(label: String) -> Int64 { counts[label] ?? 0 }

    /// Counts a label.
    public mutating func add(_ label: String, by amount: Int64 = 1) {
        addClean(Self.isClean(label) ? label : Self.cleaned(label), by: amount)
    }

    /// Adds all counts of another set; its labels beyond the capacity go to `other`.
    public mutating func merge(_ other: CappedCounts) {
        guard !other.isEmpty else { return }
        // In a stable order, so that the same input always keeps the same labels.
        for entry in other.sorted { addClean(entry.label, by: entry.count) }
    }

    /// Forgets all labels.
    public mutating func clear() {
        if !counts.isEmpty { counts.removeAll(keepingCapacity: true) }
    }

    private mutating func addClean(_ label: String, by amount: Int64) {
        if counts[label] != nil || label == Self.overflow || distinct < Self.capacity {
            counts[label, default: 0] += amount
        } else {
            counts[Self.overflow, default: 0] += amount
        }
    }

    private var distinct: Int { counts.count - (counts[Self.overflow] == nil ? 0 : 1) }

    private static func isClean(_ label: String) -> Bool {
        let bytes = label.utf8
        return !bytes.isEmpty && bytes.count <= 64 && bytes.allSatisfy(isAllowed)
    }

    private static func cleaned(_ label: String) -> String {
        guard !label.isEmpty else { return "none" }
        return String(decoding: label.utf8.prefix(64).map { isAllowed($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"): true
        default: false
        }
    }
}
