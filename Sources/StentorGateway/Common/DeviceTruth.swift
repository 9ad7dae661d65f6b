/// What one device sent by its `[#n]` markers, and what became of the replies on purpose.
struct DeviceTruth: Sendable {
    /// What can become of a reply.
    enum Fate: String, CaseIterable, Sendable {
        case lost, duplicated, reordered, unsent
    }

    /// Texts and audios received.
    var texts = 0
    var audios = 0
    /// Replies sent, duplicates included.
    var replied = 0
    private(set) var marked = 0
    private(set) var repeated = 0
    private var disordered = 0
    private var bounds: (first: Int, highest: Int)?
    private var gaps: Set<Int> = []
    private var sequences: [Fate: [Int]] = [:]

    /// The most sequence numbers that one jump adds to the gaps.
    private static let gapLimit = 1000

    /// Notes the sequence of a text that has arrived.
    mutating func arrived(_ n: Int) {
        marked += 1
        guard let (first, highest) = bounds else {
            bounds = (n, n)
            return
        }
        if n > highest {
            gaps.formUnion(highest + 1..<min(n, highest + Self.gapLimit))
            bounds = (first, n)
        } else if n < first {
            gaps.formUnion(max(n + 1, first - Self.gapLimit)..<first)
            bounds = (n, highest)
            disordered += 1
        } else if gaps.remove(n) != nil {
            disordered += 1
        } else {
            repeated += 1
        }
    }

    /// Notes what became of a reply; without a sequence only the totals count it.
    mutating func note(_ fate: Fate, _ sequence: Int?) {
        if let sequence { sequences[fate, default: []].append(sequence) }
    }

    /// Writes the members of a device's totals; zeros and empty lists are left out.
    func write(to json: inout TotalsWriter) {
        json.member("texts", texts)
        json.member("replied", replied)
        json.nonzero("audios", audios)
        json.nonzero("marked", marked)
        json.nonzero("repeated", repeated)
        json.nonzero("disordered", disordered)
        if let (first, highest) = bounds {
            json.member("first", first)
            json.member("highest", highest)
        }
        if !gaps.isEmpty { json.member("gaps", gaps.sorted()) }
        for fate in Fate.allCases {
            if let list = sequences[fate] { json.member(fate.rawValue, list) }
        }
    }
}
