import StentorBase

/// What every simulated gateway counts, whatever it speaks.
struct GatewayTally {
    /// Upgraded connections.
    private(set) var connections = 0
    /// Connections cut by the drop option.
    var dropped = 0
    /// Restarts that are over.
    var restarts = 0
    /// Devices that are ready, and the most there ever were.
    private(set) var up = 0
    private(set) var peak = 0
    /// Violations by kind.
    private(set) var violations: [String: Int] = [:]

    private var byDevice: [UInt16: Int] = [:]
    private var byGateway: [UInt16: Int] = [:]
    private var cut = 0
    private var second: Int64 = .min
    private var dialsInSecond = 0
    private var peakDials = 0

    /// Violations of one kind that are reported; all are counted.
    static let reportedPerKind = 20

    mutating func connected(at now: Instant) {
        connections += 1
        let second = now.nanoseconds / 1_000_000_000
        dialsInSecond = second == self.second ? dialsInSecond + 1 : 1
        self.second = second
        peakDials = max(peakDials, dialsInSecond)
    }

    mutating func cameUp() {
        up += 1
        peak = max(peak, up)
    }

    mutating func wentDown() {
        up -= 1
    }

    /// Counts how a connection ended. The side whose close frame came first is named; 1005 stands for a frame without a code.
    mutating func closed(sent: UInt16?, received: UInt16?, receivedFirst: Bool) {
        if let received, receivedFirst {
            byDevice[received, default: 0] += 1
        } else if let sent {
            byGateway[sent, default: 0] += 1
        } else {
            cut += 1
        }
    }

    /// Counts a violation and gives the line that reports it; nil once enough of its kind were reported.
    mutating func violation(_ kind: String, device: String, detail: String) -> String? {
        let count = violations[kind, default: 0] + 1
        violations[kind] = count
        guard count <= Self.reportedPerKind else { return nil }
        let line = "violation device='\(Self.printable(device, limit: 80))' kind=\(kind)"
        return detail.isEmpty ? line : line + " " + Self.printable(detail, limit: 160)
    }

    /// Writes the members that all gateways share.
    func write(to json: inout TotalsWriter) {
        json.member("connections", connections)
        json.member("peak", peak)
        json.member("peak_dials_per_s", peakDials)
        json.member("dropped", dropped)
        json.member("restarts", restarts)
        json.object("closes") { json in
            json.member("by_device", Dictionary(uniqueKeysWithValues: byDevice.map { (String($0.key), $0.value) }))
            json.member("by_gateway", Dictionary(uniqueKeysWithValues: byGateway.map { (String($0.key), $0.value) }))
            json.member("cut", cut)
        }
        json.member("violations", violations)
    }

    /// A text of a peer as printable ASCII, so that it cannot steer a terminal.
    private static func printable(_ text: String, limit: Int) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            if scalar.value >= 0x20, scalar.value < 0x7F, scalar != "'" {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
        return result
    }
}
