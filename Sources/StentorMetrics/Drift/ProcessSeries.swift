import StentorBase

/// What is read from processes once a second, and judged by its drift only.
public enum ProcessNumber: String, CaseIterable, Sendable {
    /// Resident memory of the generator.
    case resident = "rss"
    /// Open file descriptors of the generator.
    case descriptors = "fds"
    /// Resident memory of the embedded gateway.
    case gatewayResident = "gateway.rss"

    /// The name in gates and documents.
    public var name: String { rawValue }
    /// What it is measured in.
    public var unit: Unit { self == .descriptors ? .count : .bytes }
    /// What it is, in one sentence.
    public var help: String {
        switch self {
        case .resident: "Resident memory of the generator."
        case .descriptors: "Open file descriptors of the generator."
        case .gatewayResident: "Resident memory of the embedded gateway; other targets have none."
        }
    }

    /// The number of this name, if there is one.
    public init?(name: some StringProtocol) { self.init(rawValue: String(name)) }
}

/// The readings of processes over the steady part of a run, in bounded memory. A value for the thread that reads them.
public struct ProcessSeries: Sendable {
    /// Sums, so that windows can be joined.
    private struct Readings: WindowContent {
        var sums = [0.0, 0, 0]
        var counts = [0, 0, 0]

        mutating func merge(_ later: Readings) {
            for index in sums.indices {
                sums[index] += later.sums[index]
                counts[index] += later.counts[index]
            }
        }
    }

    private var series = WindowSeries<Readings>()

    /// Makes an empty series.
    public init() {}

    /// Adds the readings of a second; call it in the steady phase only, or the ramp passes for a leak.
    ///
    /// - Parameters:
    ///   - readings: What could be read; what is missing, or nil, is no data.
    ///   - now: When.
    public mutating func add(_ readings: [ProcessNumber: Int?], at now: Instant = .now()) {
        var content = Readings()
        for (index, number) in ProcessNumber.allCases.enumerated() {
            guard let reading = readings[number] ?? nil else { continue }
            content.sums[index] += Double(reading)
            content.counts[index] += 1
        }
        if content.counts.contains(where: { $0 > 0 }) { series.add(content, at: now) }
    }

    func windows(of number: ProcessNumber) -> DriftWindows {
        let index = ProcessNumber.allCases.firstIndex(of: number) ?? 0
        let readable = series.windows.filter { $0.content.counts[index] > 0 }
        return DriftWindows(
            seconds: series.secondsPerWindow, readable.map { ($0.middle, $0.content.sums[index] / Double($0.content.counts[index])) })
    }
}
