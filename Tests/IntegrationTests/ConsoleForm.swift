/// The summary that a run prints for people, taken apart again.
struct ConsoleForm {
    /// The lines with a label, such as `texts`: each number by what stands behind it, such as `answered`.
    private(set) var numbers: [String: [String: Int]] = [:]
    /// The table of distributions: the count of each metric and phase.
    private(set) var samples: [String: Int] = [:]
    /// For each outage, how many devices it cost.
    private(set) var devicesLost: [Int] = []

    private static let margin = 14

    init(_ text: String) {
        var label = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let head = String(line.prefix(Self.margin))
            if !head.allSatisfy({ $0 == " " }) { label = head.hasPrefix(" ") ? "" : head.trimmed }
            let words = line.split(separator: " ").map(String.init)
            if words.count > 6, !line.hasPrefix(" "), !line.contains(","), let count = Int(words[2]) {
                samples["\(words[0]) \(words[1])"] = count
            }
            readNumbers(line.dropFirst(Self.margin), label)
            if let lost = words.firstIndex(of: "lost,"), lost >= 2, words[lost - 1].hasPrefix("device"), let count = Int(words[lost - 2]) {
                devicesLost.append(count)
            }
        }
    }

    private mutating func readNumbers(_ items: Substring, _ label: String) {
        guard !label.isEmpty else { return }
        for item in items.split(separator: ",").map({ String($0).trimmed }) {
            let words = item.split(separator: " ", maxSplits: 1).map(String.init)
            if words.count == 2, let number = Int(words[0]) { numbers[label, default: [:]][words[1]] = number }
        }
    }
}

extension String {
    /// Without blanks at its ends.
    var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
