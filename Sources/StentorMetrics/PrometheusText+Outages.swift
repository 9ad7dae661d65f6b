extension PrometheusText {
    /// How many outages there were, and the numbers of the latest.
    ///
    /// Only outages that cost a ready device are counted: an empty window may yet turn out to be none, and a counter must not fall.
    mutating func writeOutages() {
        let outages = snapshot.outages.filter { $0.devicesLost > 0 }
        write(.outages, Double(outages.count))
        write(.recoveredOutages, Double(outages.filter { $0.endSeconds != nil }.count))
        if let latest = outages.last { write(latest) }
    }

    private mutating func write(_ outage: Outage) {
        write(.outageStart, snapshot.identity.startedAtSeconds + outage.startSeconds)
        write(.outageLostDevices, Double(outage.devicesLost))
        let reached = [
            ("0.5", outage.readyAfter50Seconds), ("0.9", outage.readyAfter90Seconds), ("0.99", outage.readyAfter99Seconds),
            ("1", outage.readyAfter100Seconds),
        ]
        write(
            RunFamily.outageReadyAfter.exported,
            reached.compactMap { share, seconds in seconds.map { (labels: [share], value: $0) } })
        let numbers: [(RunFamily, Double?)] = [
            (.outageDials, outage.attempts.map(Double.init)), (.outagePeakDials, outage.peakDialsPerSecond.map(Double.init)),
            (.outageSynchronisation, outage.retrySynchronisation),
        ]
        for (family, value) in numbers {
            if let value { write(family, value) }
        }
    }
}
