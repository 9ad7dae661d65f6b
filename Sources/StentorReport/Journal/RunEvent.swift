import StentorBase
import StentorMetrics

/// Something that happened once in a run: a line of `events.jsonl`.
public struct RunEvent: Sendable, Equatable {
    /// What happened.
    public enum Kind: Sendable, Equatable {
        /// The run began, before the first dial.
        case start(runID: String, profile: String)
        /// The phase is another one; nil: there was none before.
        case phase(from: Phase?, to: Phase)
        /// A drill began.
        case drill(name: String)
        /// A drill that acts outside of the devices has ended; what became of it, and the end of what its command printed.
        case drillEnded(name: String, result: String, output: String)
        /// An outage window opened; outages are numbered from 1.
        case outageOpened(number: Int, name: String)
        /// An outage window closed.
        case outageClosed(number: Int, Outage)
        /// A gate is judged otherwise than before; nil: it was not judged before.
        case gate(expression: String, from: GateResult.Verdict?, to: GateResult.Verdict, valueText: String)
        /// Something that the reader should know.
        case warning(String)
        /// A signal came; its name, such as `SIGINT`.
        case signal(String)
        /// The run ended with a verdict.
        case end(Verdict, ExitCode?)
    }

    /// When, on the wall clock, in seconds since 1970.
    public var wallSeconds: Double
    /// When, in seconds since the start of the run; nil: before it, or not known.
    public var elapsedSeconds: Double?
    /// What.
    public var kind: Kind

    /// Makes an event.
    public init(_ kind: Kind, wallSeconds: Double, elapsedSeconds: Double? = nil) {
        (self.kind, self.wallSeconds, self.elapsedSeconds) = (kind, wallSeconds, elapsedSeconds)
    }
}

extension RunEvent {
    /// The event as a JSON object; `event` names the kind.
    var json: JSONTree {
        let head: [JSONTree.Member] = [
            .init(key: "at", value: .text(UTCTime.text(wallSeconds))), .init(key: "elapsed_s", value: .rounded(elapsedSeconds)),
        ]
        let (name, fields) = content
        return .object(head + [.init(key: "event", value: .text(name))] + fields.map { .init(key: $0.key, value: $0.value) })
    }

    private var content: (String, KeyValuePairs<String, JSONTree>) {
        switch kind {
        case .start(let runID, let profile): ("start", ["run_id": .text(runID), "profile": .text(profile)])
        case .phase(let from, let to): ("phase", ["from": .filledText(from?.name), "to": .text(to.name)])
        case .drill(let name): ("drill", ["name": .text(name)])
        case .drillEnded(let name, let result, let output):
            ("drill_ended", ["name": .text(name), "result": .text(result), "output": .filledText(output)])
        case .outageOpened(let number, let name): ("outage_opened", ["outage": .integer(number), "name": .text(name)])
        case .outageClosed(let number, let outage):
            (
                "outage_closed",
                [
                    "outage": .integer(number), "name": .text(outage.name), "devices_lost": .integer(outage.devicesLost),
                    "duration_s": .rounded(outage.durationSeconds),
                ]
            )
        case .gate(let expression, let from, let to, let value):
            (
                "gate",
                [
                    "expression": .text(expression), "from": .filledText(from?.rawValue), "to": .text(to.rawValue),
                    "value": .filledText(value),
                ]
            )
        case .warning(let text): ("warning", ["text": .text(text)])
        case .signal(let name): ("signal", ["name": .text(name)])
        case .end(let verdict, let code):
            ("end", ["verdict": .text(verdict.rawValue), "exit_code": .integer(code.map { Int($0.rawValue) })])
        }
    }
}

extension JSONTree {
    /// A number with at most three decimals; null when it is not known.
    static func rounded(_ value: Double?) -> JSONTree {
        value.map { .number(($0 * 1000).rounded() / 1000) } ?? .null
    }
}
