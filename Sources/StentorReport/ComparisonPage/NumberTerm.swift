import StentorBase
import StentorMetrics

/// What a compared number is, as its definition below the tables says.
struct NumberTerm: Equatable {
    /// The number as it is called; the name of an outage in it is from outside.
    let name: String
    /// What is defined: a metric, a count, a share.
    let key: String

    init(_ number: NumberComparison) {
        name = number.name
        let plain = number.name.split(separator: " ", maxSplits: 1).first.map(String.init) ?? ""
        let isWhole = Self.shares[plain] != nil || Counter.allCases.contains { $0.name == plain }
        key = isWhole ? plain : plain.split(separator: ".").first.map(String.init) ?? ""
    }

    init(_ metric: Metric, called name: String) { (self.name, key) = (name, metric.name) }

    /// The name with a link to its definition.
    var link: String {
        let text = HTMLText.clean(name, limit: 120)
        return definition == nil ? "<bdi>\(text)</bdi>" : "<a href=\"#\(anchor)\"><bdi>\(text)</bdi></a>"
    }

    /// Where the definition stands.
    var anchor: String { "d-\(key)" }

    /// What it is, from when to when or of what; nil when there is no such number.
    var definition: String? {
        Self.shares[key] ?? Counter.allCases.first { $0.name == key }.map { $0.help + Self.ofPopulation }
            ?? Metric.allCases.first { $0.name == key }.map(\.help)
    }

    private static let ofPopulation = " Compared as a share of what could have had it."

    private static let shares: [String: String] = [
        Share.readyRate.name: "Connections that became ready, of all dials that ended: ready / (ready + dials failed).",
        Share.answeredRate.name: "Texts answered in time, of all whose outcome is known: answered / (answered + late + lost).",
        "messages.not_sent_rate": "Texts that could not be sent when they were due, of all due: not sent / (not sent + sent).",
        "uploads.confirmed_rate":
            "Photos confirmed in time and whole, of all whose outcome is known: confirmed / (confirmed + late + corrupt + lost).",
        "prompts.answered_rate":
            "Prompts whose answer the gateway took, of all whose outcome is known: answered / (answered + substituted + expired + superseded).",
    ]
}
