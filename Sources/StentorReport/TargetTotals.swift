import StentorWire

/// What a gateway says at its end about what it saw and did: one JSON object, from another process and therefore checked.
public struct TargetTotals: Sendable, Equatable {
    /// Why a text is no totals, or lacks what is to be compared.
    public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// One sentence without a full stop, for instance `the gateway's totals have no whole number 'replies.sent'`.
        public let description: String
    }

    /// The object, as it was printed.
    let json: JSONTree

    /// Reads the line that the gateway printed; blanks around it are allowed.
    ///
    /// - Throws: ``Failure`` when it is no JSON object.
    public init(line: String) throws(Failure) {
        do throws(JSONFailure) {
            json = try JSONTree.object(reading: Array(line.utf8))
        } catch {
            throw Failure(description: "the gateway's totals are no JSON object: \(error.cause.rawValue) at byte \(error.offset)")
        }
    }

    /// A count at a path of keys; no count is negative.
    ///
    /// - Parameter missing: What stands for a count that is not there; nil: it must be there.
    /// - Throws: ``Failure`` when it is missing, or no whole number of 0 ... 2⁵³.
    func count(_ path: String..., missing: Int64? = nil) throws(Failure) -> Int64 {
        guard let value = value(path) else {
            if let missing { return missing }
            throw Self.noCount(path)
        }
        guard let count = Self.count(value) else { throw Self.noCount(path) }
        return count
    }

    /// A count at a dotted path; see ``AgreementRule/theirs``.
    ///
    /// - Throws: As ``count(_:missing:)``.
    func count(dotted path: String) throws(Failure) -> Int64 {
        let isOptional = path.hasSuffix("?")
        let keys = (isOptional ? path.dropLast() : path[...]).split(separator: ".").map(String.init)
        guard let value = value(keys) else {
            if isOptional { return 0 }
            throw Self.noCount(keys)
        }
        guard let count = Self.count(value) else { throw Self.noCount(keys) }
        return count
    }

    /// Whether there is a member of this name.
    func has(_ key: String) -> Bool { json[key] != nil }

    /// The counts of a map of names to counts.
    ///
    /// - Throws: ``Failure`` when it is missing or holds anything else.
    func counts(_ key: String) throws(Failure) -> [(name: String, count: Int64)] {
        guard let members = json[key]?.members else { throw Failure(description: "the gateway's totals have no object '\(key)'") }
        var counts: [(name: String, count: Int64)] = []
        for member in members {
            guard let count = Self.count(member.value) else { throw Self.noCount([key, member.key]) }
            counts.append((member.key, count))
        }
        return counts
    }

    private func value(_ path: [String]) -> JSONTree? {
        path.reduce(Optional(json)) { $0?[$1] }
    }

    // Small enough that sums of counts cannot overflow, and that every reader of JSON knows them exactly.
    private static func count(_ value: JSONTree) -> Int64? {
        if case .integer(let number) = value, (0...1 << 53).contains(number) { number } else { nil }
    }

    private static func noCount(_ path: [String]) -> Failure {
        Failure(description: "the gateway's totals have no whole number '\(path.joined(separator: "."))'")
    }
}
