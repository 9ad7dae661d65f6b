extension PrometheusText {
    /// How many outages there were, and the numbers of the latest.
    ///
    /// Only outages that cost a ready device are counted: an empty window may yet turn out to be none, and a counter must not fall.
    mutating func writeOutages() {
        let outages = snapshot.outages.filter { $0.devicesLost > 0 }
        let recovered = outages.filter { $0.endSeconds != nil }
        writer.family("stentor_outages_total", "counter", "Outages in which at least one ready device was lost.")
        writer.sample("stentor_outages_total", [], Double(outages.count))
        writer.family("stentor_recovered_outages_total", "counter", "Outages that ended because 99 % of the devices were ready again.")
        writer.sample("stentor_recovered_outages_total", [], Double(recovered.count))
        if let latest = outages.last { write(latest) }
    }

    private mutating func write(_ outage: Outage) {
        gauge(
            "stentor_outage_start_timestamp_seconds", snapshot.identity.startedAtSeconds + outage.startSeconds,
            "Start of the latest outage, in seconds since 1970.")
        gauge("stentor_outage_lost_devices", Double(outage.devicesLost), "Ready devices that the latest outage cost their connection.")
        writeReturn(of: outage)
        let numbers: [(String, Double?, String)] = [
            ("stentor_outage_dials", outage.attempts.map(Double.init), "Dials within the latest outage."),
            (
                "stentor_outage_peak_dials_per_second", outage.peakDialsPerSecond.map(Double.init),
                "The most dials begun within one second of the latest outage."
            ),
            (
                "stentor_outage_retry_synchronisation_ratio", outage.retrySynchronisation,
                "Share of the latest outage's dials that began within its busiest 100 ms."
            ),
        ]
        for (name, value, help) in numbers {
            if let value { gauge(name, value, help) }
        }
    }

    private mutating func writeReturn(of outage: Outage) {
        let reached = [
            ("0.5", outage.readyAfter50Seconds), ("0.9", outage.readyAfter90Seconds), ("0.99", outage.readyAfter99Seconds),
            ("1", outage.readyAfter100Seconds),
        ].compactMap { share, seconds in seconds.map { (share, $0) } }
        guard !reached.isEmpty else { return }
        writer.family(
            "stentor_outage_ready_after_seconds", "gauge",
            "Time from the start of the latest outage until a share of its devices was ready again.")
        for (share, seconds) in reached { writer.sample("stentor_outage_ready_after_seconds", [("share", share)], seconds) }
    }
}
