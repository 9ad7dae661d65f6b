import Glibc
import StentorBase
import StentorReport
import StentorWire

/// One measured figure beside its target.
struct BenchRow: Sendable {
    var name: String
    var figure: Double
    var unit: String
    /// The figure over another one of the same run; nil where the target is absolute.
    var ratio: Double?
    var target: String
    var isMet: Bool?
    var note = ""
}

/// Rows as a table for people or as JSON.
struct BenchReport {
    let rows: [BenchRow]
    let rounds: Int

    var table: String {
        let host = HostFacts.current()
        var lines = ["\(host.cores) cores, \(Self.processor), Linux \(host.kernel); medians of \(rounds)", ""]
        let cells = rows.map { row in
            [
                row.name, Quantity.significant(row.figure), row.unit, row.ratio.map { Quantity.fixed($0, decimals: 2) + " x" } ?? "",
                row.target,
                row.isMet.map { $0 ? "met" : "MISSED" } ?? "", row.note,
            ]
        }
        let head = [["row", "figure", "unit", "ratio", "target", "", "note"]] + cells
        let widths = (0..<7).map { column in head.map { $0[column].count }.max() ?? 0 }
        for row in head {
            let padded = row.enumerated().map { column, text in
                let blanks = String(repeating: " ", count: widths[column] - text.count)
                return column == 1 || column == 3 ? blanks + text : text + blanks
            }
            var line = padded.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            lines.append(line)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    var json: String {
        var writer = JSONWriter()
        let host = HostFacts.current()
        writer.beginObject()
        writer.key("cores")
        writer.integer(host.cores)
        writer.key("processor")
        writer.string(Self.processor)
        writer.key("kernel")
        writer.string(host.kernel)
        writer.key("rounds")
        writer.integer(rounds)
        writer.key("rows")
        writer.beginArray()
        for row in rows { write(row, &writer) }
        writer.endArray()
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    private func write(_ row: BenchRow, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("name")
        writer.string(row.name)
        writer.key("figure")
        writer.number(row.figure)
        writer.key("unit")
        writer.string(row.unit)
        writer.key("ratio")
        if let ratio = row.ratio { writer.number(ratio) } else { writer.null() }
        writer.key("target")
        writer.string(row.target)
        writer.key("met")
        if let isMet = row.isMet { writer.bool(isMet) } else { writer.null() }
        writer.key("note")
        writer.string(row.note)
        writer.endObject()
    }

    private static var processor: String {
        let line = ProcessFacts.text("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { String($0.drop { $0 == " " }) } ?? "unknown processor"
    }
}
