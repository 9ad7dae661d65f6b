/// Writes samples in Prometheus' text exposition format, version 0.0.4, and counts the series.
///
/// Format: https://prometheus.io/docs/instrumenting/exposition_formats/ (text-based format).
struct ExpositionWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var seriesCount = 0
    /// Labels that every sample carries after its own, but for those that it has itself.
    private let common: [(name: String, value: String)]

    init(common: [(name: String, value: String)] = []) {
        self.common = common
    }

    mutating func family(_ name: String, _ type: ExportedFamily.Kind, _ help: String) {
        append("# HELP \(name) ")
        appendEscaped(help, quotes: false)
        append("\n# TYPE \(name) \(type.rawValue)\n")
    }

    mutating func sample(_ name: String, _ labels: [(name: String, value: String)], _ value: Double) {
        append(name)
        var separator = "{"
        for label in labels { append(label, after: &separator) }
        for label in common where !labels.contains(where: { $0.name == label.name }) { append(label, after: &separator) }
        if separator == "," { append("}") }
        append(" \(Self.number(value))\n")
        seriesCount += 1
    }

    /// A number as Go's `ParseFloat` reads it; whole ones without a point, so that `le="1"` has one spelling.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        if value == value.rounded(), abs(value) < 0x1p53 { return String(Int64(value)) }
        return "\(value)"
    }

    private mutating func append(_ label: (name: String, value: String), after separator: inout String) {
        append("\(separator)\(label.name)=\"")
        appendEscaped(label.value, quotes: true)
        append("\"")
        separator = ","
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func appendEscaped(_ text: String, quotes: Bool) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\n"): append("\\n")
            case UInt8(ascii: "\"") where quotes: append("\\\"")
            default: bytes.append(byte)
            }
        }
    }
}
