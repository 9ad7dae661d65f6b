import Glibc
import StentorBase
import StentorLoop

/// The command line of the bench: which rows to measure, how often, and how to print them.
struct BenchCommand {
    private var printsJSON = false
    private var only: [String] = []
    private var rounds = 5
    private var scale = 1.0
    private var tls: String?
    private var baseline: (path: String, isWritten: Bool)?

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
            case "--tls": tls = try Self.value(of: word, &rest)
            case "--baseline": baseline = (try Self.value(of: word, &rest), false)
            case "--write-baseline": baseline = (try Self.value(of: word, &rest), true)
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
        let (rounds, scale, only, tls) = (rounds, scale, only, tls)
        if let baseline { return try check(baseline.path, isWritten: baseline.isWritten) }
        let rows = try EventLoop.runMain(name: "control") { control in
            var suite = BenchSuite(control: control, rounds: rounds, scale: scale, tls: tls)
            return try await suite.rows(only: only)
        }
        let report = BenchReport(rows: rows, rounds: rounds)
        StandardStream.output.write(printsJSON ? report.json : report.table)
        return .success
    }

    /// Holds the counts per message against a baseline file, or writes it.
    private func check(_ path: String, isWritten: Bool) throws -> ExitCode {
        let result = try EventLoop.runMain(name: "control") { control in
            try await BenchSuite(control: control, rounds: 1, scale: 1, tls: nil).counts()
        }
        let counts = Baseline(result)
        if isWritten {
            guard let file = fopen(path, "we"), fputs(counts.text, file) >= 0, fclose(file) == 0 else {
                throw UserFailure(.file, "cannot write the baseline", place: path)
            }
            return .success
        }
        StandardStream.output.write(counts.text)
        let worse = try counts.regressions(from: path)
        for line in worse { StandardStream.error.write("stentor-bench: \(line)\n") }
        return worse.isEmpty ? .success : .gateFailed
    }

    private static let help = """
        Usage: stentor-bench [--json] [--quick] [--rounds N] [--only NAME ...] [--tls DIR]
               stentor-bench --baseline FILE | --write-baseline FILE

        Measures the engine on this machine, loopback only: client on core 0, server on core 1. Rows:
          \(BenchSuite.names.joined(separator: "\n  "))
        --tls DIR holds server.pem, server.key and ca.pem for the rows with TLS, which are left out without it.
        --baseline holds allocations, system calls and bytes per message against a file; exit code 99 when one is worse.
        STENTOR_BENCH_PEERS names peers to measure in the same run, for instance load_test=/usr/local/bin/load_test.

        """
}
