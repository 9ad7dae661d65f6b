extension TargetTotals {
    /// Reads the totals of a gateway that was restarted, a line for each of its lives, and adds them up.
    ///
    /// Counts are added, lists are joined. `devices` is the number of different devices, as a device may have met several lives.
    ///
    /// - Throws: ``Failure`` when a line is no JSON object.
    public init(lives lines: [String]) throws(Failure) {
        var sum = JSONTree.object([])
        for line in lines { sum = Self.sum(sum, try TargetTotals(line: line).json) }
        guard lines.count > 1, let members = sum.members, let devices = sum["per_device"]?.members?.count else {
            json = sum
            return
        }
        json = .object(members.map { $0.key == "devices" ? .init(key: "devices", value: .integer(devices)) : $0 })
    }

    private static func sum(_ first: JSONTree, _ second: JSONTree) -> JSONTree {
        switch (first, second) {
        case (.integer(let a), .integer(let b)): return .integer(a &+ b)
        case (.list(let a), .list(let b)): return .list(a + b)
        case (.object(let a), .object(let b)):
            let known = Set(a.map(\.key))
            let joined = a.map { member in
                JSONTree.Member(key: member.key, value: second[member.key].map { sum(member.value, $0) } ?? member.value)
            }
            return .object(joined + b.filter { !known.contains($0.key) })
        default: return first
        }
    }
}
