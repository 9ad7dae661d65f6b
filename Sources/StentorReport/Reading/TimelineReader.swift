import StentorMetrics

/// The numbers of `timeline.csv`, column by column, also of a run that was killed.
///
/// A last line without its end and lines with another number of cells are left out; columns that this version does not know are skipped.
struct TimelineReader: Sendable {
    /// How many rows there are.
    private(set) var rowCount = 0
    /// Lines that are no rows although they should be.
    private(set) var damagedLines = 0
    /// The phase at the end of each row; nil when its name is not known.
    private(set) var phases: [Phase?] = []
    private var columns: [String: [Double?]] = [:]

    /// Reads a whole file.
    init(_ bytes: [UInt8]) {
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex
        var lines = bytes[..<end].split(separator: UInt8(ascii: "\n"))[...]
        guard let header = lines.popFirst() else { return }
        let names = Self.cells(header).map { String(decoding: $0, as: UTF8.self) }
        var values = names.map { _ in [Double?]() }
        let phaseColumn = names.firstIndex(of: "phase")
        for line in lines {
            let cells = Self.cells(line)
            guard cells.count == names.count, let first = Self.number(cells[0]), first.isFinite else {
                damagedLines += 1
                continue
            }
            for (index, cell) in cells.enumerated() where index != phaseColumn { values[index].append(Self.number(cell)) }
            phases.append(phaseColumn.flatMap { Phase(name: String(decoding: cells[$0], as: UTF8.self)) })
            rowCount += 1
        }
        for (name, column) in zip(names, values) where name != "phase" { columns[name] = column }
    }

    /// The cells of a column, nil where they are empty; a column that is not there is empty everywhere.
    func column(_ name: String) -> [Double?] {
        columns[name] ?? Array(repeating: nil, count: rowCount)
    }

    /// The ends of the rows, in seconds since the start of the run.
    var times: [Double] { column("elapsed_s").map { $0 ?? 0 } }

    // None of the columns holds quoted text.
    private static func cells(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    }

    private static func number(_ cell: ArraySlice<UInt8>) -> Double? {
        cell.isEmpty ? nil : Double(String(decoding: cell, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }
}
