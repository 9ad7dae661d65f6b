/// Finds what a misspelt word may have meant.
public enum Suggestion {
    /// The candidate nearest to `word`, if it is near enough to be a slip: at most a third of the letters differ, and never more than three.
    ///
    /// Distance: optimal string alignment (Damerau–Levenshtein with adjacent transpositions). Ties go to the earlier candidate.
    public static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let letters = Array(word.lowercased().utf8)
        let limit = min(3, max(1, letters.count / 3))
        var best: (distance: Int, candidate: String)?
        for candidate in candidates {
            let distance = distance(letters, Array(candidate.lowercased().utf8))
            if distance <= limit, distance < (best?.distance ?? .max) {
                best = (distance, candidate)
            }
        }
        return best?.candidate
    }

    /// A hint sentence for ``nearest(to:among:)``, or the whole list when nothing is near.
    public static func hint(for word: String, among candidates: [String]) -> String {
        if let near = nearest(to: word, among: candidates) { return "did you mean '\(near)'?" }
        return candidates.isEmpty ? "" : "known here: \(candidates.joined(separator: ", "))"
    }

    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1] + [Int](repeating: 0, count: b.count)
            for j in 0..<b.count {
                row[j + 1] = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
                }
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
