import Foundation
import TestSupport
import Testing

/// The short form of the soak: the profile of the long one, with less devices and more cuts.
///
/// It takes three minutes and little of a core, so it holds no slot and runs beside all other tests.
struct LongSoakTests {
    private static let profile = Repository.root + "/Profiles/soak-drops.yaml"
    private static let devices = 300
    private static let options = [
        "--devices", "\(devices)", "--set", "load=[{ramp: 100%, over: 10s}, {hold: 160s}, {ramp: 0, over: 10s}]", "--set",
        "faults=[{drop: 15s, how: reset}]", "--set", "gates=[messages.duplicated == 0, uploads.corrupt == 0, downloads.corrupt == 0]",
    ]
    /// Every device is ready, and what is allocated once is there.
    private static let warmUpSeconds = 50.0

    @Test func `devices that are cut off for three minutes leave closed accounts and nothing behind`() async throws {
        let run = try await StentorRun.start(Self.profile, Self.options).finish(within: .seconds(300))
        // On a machine with little CPU the run says so itself; what is asked here holds all the same.
        #expect([0, 98].contains(run.outcome.exitCode), "\(run.outcome)")
        run.expectSchema()
        try run.expectClosedAccounts()
        #expect(try run.count("reconnects") > Self.devices && run.labelled("connection_losses", "fault") > Self.devices)
        #expect(try run.count("messages.duplicated") == 0 && run.count("media.corrupt") == 0)
        #expect(run.summary["devices", "left"].count == Self.devices)
        let path = try #require(run.path)
        let timeline = Timeline(try String(contentsOfFile: path + "/timeline.csv", encoding: .utf8))
        try expectSteady(timeline)
        try expectBoundedFiles(path, rows: timeline.rows.count, reconnects: try run.count("reconnects"))
    }

    /// The median of the last third of the plateau beside that of the first.
    private func growth(_ values: [Double]) throws -> Double {
        let third = values.count / 3
        try #require(third > 0, "\(values)")
        return Self.median(values.suffix(third)) - Self.median(values.prefix(third))
    }

    private static func median(_ values: ArraySlice<Double>) -> Double { values.sorted()[values.count / 2] }

    /// Neither descriptors nor memory grow.
    ///
    /// A device that is cut off has no descriptor until it dials. So descriptors are counted less the devices that have a connection or dial,
    /// and since both are not read in the same instant, medians are compared: a descriptor that leaks with each cut would add thousands.
    private func expectSteady(_ timeline: Timeline) throws {
        let connected = ["dialling", "upgrading", "greeting", "ready"].map { timeline.column("devices_\($0)") }
        let descriptors = timeline.column("open_descriptors")
        var (spare, resident): ([Double], [Double]) = ([], [])
        for (row, elapsed) in timeline.column("elapsed_s").enumerated() {
            guard let elapsed, (Self.warmUpSeconds...165).contains(elapsed) else { continue }
            resident.append(try #require(timeline.column("resident_bytes")[row]))
            // They are counted with every tenth row.
            guard row % 10 == 0, let open = descriptors[row] else { continue }
            spare.append(open - connected.reduce(0) { $0 + ($1[row] ?? 0) })
        }
        #expect(abs(try growth(spare)) <= 5, "\(spare)")
        #expect(try growth(resident) < 16 * 1_048_576, "\(resident)")
    }

    /// What the documentation of the run directory says of the sizes, with room.
    private func expectBoundedFiles(_ path: String, rows: Int, reconnects: Int) throws {
        func bytes(_ name: String) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.size] as? Int)
        }
        #expect(try bytes("timeline.csv") < 800 * (rows + 5))
        #expect(try bytes("intervals.hlog") < 8000 * (rows + 5))
        #expect(try bytes("reconnects.csv") < 120 * (reconnects + 100))
        #expect(try bytes("offenders.jsonl") < 9 << 20 && bytes("events.jsonl") < 1 << 20)
        #expect(try bytes("summary.json") < 400_000 && bytes("report.html") < 2_000_000)
    }
}
