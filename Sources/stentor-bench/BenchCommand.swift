import Glibc
import StentorBase
import StentorLoop

/// The command line of the bench: which rows to measure, how often, and how to print them.
struct BenchCommand {
    private var printsJSON = false
    private var only: [String] = []
    private var rounds = 5
    private var scale = 1.0

    init(_ arguments: [String]) throws(UserFailure) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--json": printsJSON = true
            case "--quick": (rounds, scale) = (1, 0.2)
            case "--only": only.append(try Self.value(of: word, &rest))
            case "--rounds":
                guard let count = Int(try Self.value(of: word, &rest)), (1...99).contains(count) else {
                    throw UserFailure(.arguments, "expected a number from 1 to 99", place: word)
                }
                rounds = count
            case "--help":
                StandardStream.output.write(Self.help)
                exit(0)
            default: throw UserFailure(.arguments, "unknown option", place: word, hint: "stentor-bench --help")
            }
        }
        for name in only where !BenchSuite.names.contains(name) {
            throw UserFailure(.arguments, "no row '\(name)'", place: "--only", hint: Suggestion.hint(for: name, among: BenchSuite.names))
        }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UserFailure) -> String {
        guard let value = rest.popFirst() else { throw UserFailure(.arguments, "needs a value", place: option) }
        return value
    }

    func run() throws -> ExitCode {
        let (rounds, scale, only) = (rounds, scale, only)
        let rows = try EventLoop.runMain(name: "control") { control in
            var suite = BenchSuite(control: control, rounds: rounds, scale: scale)
            return try await suite.rows(only: only)
        }
        let report = BenchReport(rows: rows, rounds: rounds)
        StandardStream.output.write(printsJSON ? report.json : report.table)
        return .success
    }

    private static let help = """
        Usage: stentor-bench [--json] [--quick] [--rounds N] [--only NAME ...]

        Measures the engine on this machine, loopback only: client on core 0, server on core 1. Rows:
          \(BenchSuite.names.joined(separator: "\n  "))
        STENTOR_BENCH_PEERS names peers to measure in the same run, for instance load_test=/usr/local/bin/load_test.

        """
}
