import Glibc
import StentorBase
import StentorTruth

/// Compares models whose truth is known, and says how often `stentor compare` would be right about them.
struct TruthCommand {
    private var comparisons = 100
    private var replicates = 1000

    init(_ arguments: [String]) throws(UserFailure) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--comparisons": comparisons = try Self.count(of: word, &rest, 1...100_000)
            case "--replicates": replicates = try Self.count(of: word, &rest, 100...100_000)
            case "--help":
                StandardStream.output.write(Self.help)
                exit(0)
            default: throw UserFailure(.arguments, "unknown option", place: word, hint: "stentor-truth --help")
            }
        }
    }

    private static func count(of option: String, _ rest: inout ArraySlice<String>, _ range: ClosedRange<Int>) throws(UserFailure) -> Int {
        guard let count = rest.popFirst().flatMap({ Int($0) }), range.contains(count) else {
            throw UserFailure(.arguments, "expected a number from \(range.lowerBound) to \(range.upperBound)", place: option)
        }
        return count
    }

    /// Ends with 99 when an interval covers the truth in less than 90 or more than 99 of 100 comparisons, or a verdict is wrong in more than 8.
    func run() -> ExitCode {
        var faults: [String] = []
        for (index, check) in TruthCheck.standard.enumerated() {
            var check = check
            check.run(comparisons, replicates: replicates)
            StandardStream.output.write(check.text + "\n")
            // The last one shows what one run a side cannot know; it is no promise.
            if index < TruthCheck.standard.count - 1 { faults += check.faults }
        }
        for fault in faults { StandardStream.error.write("stentor-truth: \(fault)\n") }
        StandardStream.output.write(faults.isEmpty ? "all as promised\n" : "not as promised\n")
        return faults.isEmpty ? .success : .gateFailed
    }

    private static let help = """
        Usage: stentor-truth [--comparisons N] [--replicates N]

        Compares runs of models whose truth is known N times (default 100), and prints how often the intervals of 'stentor compare' held
        the truth and how often it said 'better' or 'worse'. Exit code 99 when that is not as Docs/statistics.md promises.

        """
}
