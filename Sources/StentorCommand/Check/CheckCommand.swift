import Glibc
import StentorBase
import StentorCheck
import StentorLoop
import StentorWire

/// `stentor check`: one device walks the protocol of a dialect against a gateway.
struct CheckCommand: Sendable {
    /// The environment variable that holds the token: arguments can be read by every user of a machine.
    static let tokenVariable = "STENTOR_TOKEN"

    private let arguments: CheckArguments
    private let console: Console

    init(_ arguments: CheckArguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func carryOut() throws -> ExitCode {
        let target = try readTarget()
        let report = try EventLoop.runMain(name: "control") { loop in
            try await GatewayCheck.run(arguments.dialect, target, only: arguments.only, loop: loop) { result in
                if !arguments.printsJSON { _ = console.write(CheckRendering.line(result)) }
            }
        }
        if let why = report.unreachable {
            throw UserFailure(
                .target, "no connection: \(why)", place: target.url.description, hint: "is the gateway up, and is this its path?")
        }
        guard !report.results.isEmpty else {
            throw UserFailure(.arguments, "no point of \(arguments.dialect) has these words in its name", place: "--only")
        }
        let text = arguments.printsJSON ? CheckRendering.json(report, target: target.url) : CheckRendering.summary(report)
        guard console.writeResult(text) else { return .failure }
        return report.count(.failed) == 0 ? .success : .gateFailed
    }

    private func readTarget() throws(UserFailure) -> CheckTarget {
        guard let text = arguments.target else {
            throw UserFailure(.arguments, "--target is missing", place: "check", hint: "such as --target ws://127.0.0.1:8787/ws")
        }
        let url = try TargetURL(text, cause: .arguments, place: "--target")
        guard url.isLoopback || arguments.allowedHosts.contains(url.host) else {
            throw UserFailure(
                .arguments, "'\(url.host)' is not this machine", place: "--target",
                hint: "to check it all the same: --allow-host \(url.host)")
        }
        var target = CheckTarget(url: url, token: try readToken())
        (target.caFile, target.isInsecure, target.within) = (arguments.caFile, arguments.isInsecure, arguments.within)
        return target
    }

    private func readToken() throws(UserFailure) -> Secret {
        guard let file = arguments.tokenFile else { return Secret(getenv(Self.tokenVariable).map { String(cString: $0) } ?? "") }
        return try TokenFiles.single(file)
    }
}

/// The words of a check.
enum CheckRendering {
    /// One point on one line.
    static func line(_ result: CheckResult) -> String {
        let sign =
            switch result.outcome {
            case .passed: "✓"
            case .failed: "✗"
            case .open: "–"
            }
        return "\(sign) \(result.name): \(TerminalText.clean(result.seen, limit: 160))\n"
    }

    /// The last line.
    static func summary(_ report: CheckReport) -> String {
        "\(report.count(.passed)) passed, \(report.count(.failed)) failed, \(report.count(.open)) not judged\n"
    }

    /// Everything as JSON.
    static func json(_ report: CheckReport, target: TargetURL) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.key("target")
        json.string(target.description)
        json.key("dialect")
        json.string(report.dialect)
        for outcome in CheckResult.Outcome.allCases {
            json.key(outcome.rawValue)
            json.integer(report.count(outcome))
        }
        json.key("points")
        json.beginArray()
        for result in report.results {
            json.beginObject()
            json.key("name")
            json.string(result.name)
            json.key("outcome")
            json.string(result.outcome.rawValue)
            json.key("seen")
            json.string(result.seen)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }
}
