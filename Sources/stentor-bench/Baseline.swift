import Glibc
import StentorBase
import StentorWire

/// What must not get worse from one change to the next: counts that do not depend on the machine's speed.
struct Baseline {
    /// A count may rise by this much, for the odd event within a measurement.
    static let tolerance = 0.05

    /// Names and counts per echo round trip.
    let counts: [(name: String, value: Double)]

    init(_ result: EchoBench.Result) {
        let trips = Double(max(1, result.roundTrips))
        counts = [
            ("allocations", Double(result.allocations) / trips), ("waits", Double(result.systemCalls.waits) / trips),
            ("receives", Double(result.systemCalls.receives) / trips), ("sends", Double(result.systemCalls.sends) / trips),
            ("bytes", Double(result.bytes) / trips),
        ]
    }

    /// Lines `name value`, as the baseline file holds them.
    var text: String {
        counts.map { "\($0.name) \(Quantity.fixed($0.value, decimals: 2))\n" }.joined()
    }

    /// What is worse than the file says, a sentence each.
    ///
    /// - Throws: ``UserFailure`` when the file cannot be read.
    func regressions(from path: String) throws(UserFailure) -> [String] {
        let text = ProcessFacts.text(path)
        guard !text.isEmpty else {
            throw UserFailure(.file, "cannot read the baseline", place: path, hint: "make it with --write-baseline")
        }
        var worse: [String] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            guard words.count == 2, let limit = Double(words[1]) else { throw UserFailure(.file, "expected 'name number'", place: path) }
            guard let count = counts.first(where: { $0.name == words[0] })?.value, count > limit + Self.tolerance else { continue }
            worse.append("\(words[0]) per echo round trip: \(Quantity.fixed(count, decimals: 2)), and the baseline is \(words[1])")
        }
        return worse
    }
}
