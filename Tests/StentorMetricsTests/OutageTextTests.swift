import Testing

@testable import StentorMetrics

/// What Prometheus is told of outages.
struct OutageTextTests {
    private func samples(_ outages: [Outage]) -> [String: String] {
        var run = snapshot { $0.count(.messagesSent) }
        run.outages = outages
        let lines = String(decoding: PrometheusText.render(run), as: UTF8.self).split(separator: "\n")
        let pairs = lines.filter { $0.hasPrefix("stentor_outage") || $0.hasPrefix("stentor_recovered") }.compactMap { line in
            line.lastIndex(of: " ").map { (String(line[..<$0]), String(line[$0...].dropFirst())) }
        }
        return Dictionary(pairs) { first, _ in "\(first) twice" }
    }

    private static let closed = Outage(
        name: "cut", startSeconds: 20, endSeconds: 24, devicesLost: 40, readyAfter50Seconds: 1, readyAfter90Seconds: 2.5,
        readyAfter99Seconds: 4, readyAfter100Seconds: 4, attempts: 60, peakDialsPerSecond: 30, retrySynchronisation: 0.25)

    @Test func `without an outage there are two zeros and no times`() {
        #expect(samples([]) == ["stentor_outages_total": "0", "stentor_recovered_outages_total": "0"])
    }

    @Test func `a recovered outage has all its numbers`() {
        #expect(
            samples([Self.closed]) == [
                "stentor_outages_total": "1", "stentor_recovered_outages_total": "1",
                "stentor_outage_start_timestamp_seconds": "1796010150", "stentor_outage_lost_devices": "40",
                "stentor_outage_ready_after_seconds{share=\"0.5\"}": "1", "stentor_outage_ready_after_seconds{share=\"0.9\"}": "2.5",
                "stentor_outage_ready_after_seconds{share=\"0.99\"}": "4", "stentor_outage_ready_after_seconds{share=\"1\"}": "4",
                "stentor_outage_dials": "60", "stentor_outage_peak_dials_per_second": "30",
                "stentor_outage_retry_synchronisation_ratio": "0.25",
            ])
    }

    @Test func `the latest outage is told, and shares that are not reached have no time`() {
        let open = Outage(name: "crash", startSeconds: 60, devicesLost: 10, readyAfter50Seconds: 3, attempts: 12)
        #expect(
            samples([Self.closed, open]) == [
                "stentor_outages_total": "2", "stentor_recovered_outages_total": "1",
                "stentor_outage_start_timestamp_seconds": "1796010190", "stentor_outage_lost_devices": "10",
                "stentor_outage_ready_after_seconds{share=\"0.5\"}": "3", "stentor_outage_dials": "12",
            ])
    }

    @Test func `a window that has cost no device yet is not counted, for it may turn out to be none`() {
        let empty = Outage(name: "drill", startSeconds: 60, devicesLost: 0, attempts: 0)
        #expect(samples([Self.closed, empty]) == samples([Self.closed]))
    }
}
