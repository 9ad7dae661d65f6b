import Glibc
import StentorBase
import StentorLoop
import StentorMetrics

/// The rows of the bench, each measured in rounds; figures are medians.
struct BenchSuite {
    static let names = ["echo", "hermes", "memory", "dials", "photos", "growth", "idle"]

    let control: EventLoop
    let rounds: Int
    let scale: Double
    private var notes: [String] = []
    private let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// A private loopback address, so that nothing else of this machine is measured by mistake.
    private let host = "127.\(Int.random(in: 16...250)).\(Int.random(in: 1...250)).\(Int.random(in: 1...250))"

    init(control: EventLoop, rounds: Int, scale: Double) {
        self.control = control
        self.rounds = rounds
        self.scale = scale
    }

    mutating func rows(only: [String]) async throws -> [BenchRow] {
        if cores > 1 { try Processors.pinThread(to: 0) }
        var rows: [BenchRow] = []
        func wants(_ name: String) -> Bool { only.isEmpty || only.contains(name) }
        if wants("echo") || wants("hermes") { rows += try await messageRows(wantsHermes: wants("hermes")) }
        if wants("memory") { rows += try await memoryRows() }
        if wants("dials") { rows += try await dialRows() }
        if wants("photos") { rows += try await photoRows() }
        if wants("growth") { rows += try await growthRows() }
        if wants("idle") { rows += try await idleRows() }
        return rows
    }

    // MARK: - Servers

    private var ownPath: String { ProcessFacts.linkTarget("/proc/self/exe") }

    private var folder: String {
        let path = ownPath
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    private var serverCPU: Int? { cores > 1 ? 1 : nil }

    private func echoServer() async throws -> BenchServer {
        try await BenchServer.start(ownPath, ["echo-server", "\(host):0"], host: host, cpu: serverCPU, on: control)
    }

    private func gateway(_ options: [String]) async throws -> BenchServer {
        try await BenchServer.start(
            folder + "/stentor", ["serve", "--listen", "\(host):0"] + options, host: host, cpu: serverCPU, on: control)
    }

    private func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted.count % 2 == 1 ? sorted[sorted.count / 2] : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
    }

    // MARK: - Messages

    private func messageRows(wantsHermes: Bool) async throws -> [BenchRow] {
        var own: [Double] = []
        var server: [Double] = []
        var peers: [Double] = []
        var frames: [(client: Double, server: Double)] = []
        let peer = BenchPeer.loadTest
        for _ in 0..<rounds {
            let echo = try await echoServer()
            let result = try await EchoBench.run(echo, connections: 1000, seconds: 5 * scale, on: control)
            own.append(result.microsecondsPerRoundTrip)
            server.append(result.serverMicroseconds)
            if let peer { peers.append(try await peer.microsecondsPerRoundTrip(echo, seconds: max(2, 5 * scale), on: control)) }
            await echo.stop()
            if wantsHermes { frames.append(try await hermesFrame()) }
        }
        let figure = median(own)
        let peerFigure = peers.isEmpty ? nil : median(peers)
        var rows = [
            BenchRow(
                name: "echo, client CPU per round trip", figure: figure, unit: "µs", ratio: peerFigure.map { figure / $0 },
                target: "<= 1.20 x uWebSockets load_test", isMet: peerFigure.map { figure <= 1.2 * $0 },
                note: "server \(Quantity.significant(median(server))) µs")
        ]
        if let peerFigure {
            rows.append(
                BenchRow(name: "echo, uWebSockets load_test", figure: peerFigure, unit: "µs", target: "the yardstick", note: "same server"))
        }
        if wantsHermes {
            let frame = median(frames.map(\.client))
            rows.append(
                BenchRow(
                    name: "hermes, client CPU per frame", figure: frame, unit: "µs", ratio: frame / (figure / 2),
                    target: "<= 1.30 x echo per frame", isMet: frame <= 1.3 * figure / 2,
                    note: "gateway \(Quantity.significant(median(frames.map(\.server)))) µs a frame"))
        }
        return rows
    }

    /// Texts whose replies come as typing, two moods, a message, three edits, a mood and a stop: nine frames back, some milliseconds apart.
    private func hermesFrame() async throws -> (client: Double, server: Double) {
        let gateway = try await gateway(["--edits", "3", "--edit-gap", "5ms"])
        let result = try await FleetBench.run(
            """
            version: 1
            name: bench-hermes
            target: {url: "\(gateway.url)"}
            devices: {count: 1000}
            load: [{ramp: 1000, over: 1s}, {hold: \(Int(max(4, 6 * scale)))s}]
            connect_rate: 2000/s
            behaviour: {text: {every: 250ms, body: 100B..100B}}
            """, gateway, on: control)
        await gateway.stop()
        guard let (first, last) = result.steady else { return (.nan, .nan) }
        func frames(_ reading: FleetBench.Reading) -> Int64 {
            reading.snapshot.count(.framesSent) + reading.snapshot.count(.framesReceived)
        }
        let count = Double(max(1, frames(last) - frames(first)))
        return (
            Double(last.cpuNanoseconds - first.cpuNanoseconds) / count / 1000,
            Double(last.serverNanoseconds - first.serverNanoseconds) / count / 1000
        )
    }

    // MARK: - Memory, idleness

    private func idleProfile(_ devices: Int, hold: Int, ping: String = "", target: String, tls: String = "") -> String {
        """
        version: 1
        name: bench-idle
        target: {url: "\(target)"\(tls)}
        devices: {count: \(devices)}
        load: [{ramp: \(devices), over: 1s}, {hold: \(hold)s}]
        connect_rate: 4000/s
        behaviour: {text: {every: 1h, body: 20B..20B}\(ping)}
        """
    }

    private func memoryRows() async throws -> [BenchRow] {
        var rows: [BenchRow] = []
        for devices in [10_000, 19_000] {
            let gateway = try await gateway([])
            let result = try await FleetBench.run(
                idleProfile(devices, hold: 12, target: "\(gateway.url)"), gateway, on: control)
            await gateway.stop()
            guard let (first, last) = result.steady else { continue }
            let each = Double(last.residentBytes - result.residentBefore) / Double(devices) / 1024
            rows.append(
                BenchRow(
                    name: "memory, \(devices) idle devices", figure: each, unit: "KiB a device", target: "<= 4 KiB", isMet: each <= 4,
                    note: "\(last.ready) ready, \(Quantity.bytesText(Double(last.residentBytes - first.residentBytes))) while idle"))
        }
        return rows
    }

    private func idleRows() async throws -> [BenchRow] {
        var shares: [Double] = []
        for _ in 0..<max(1, rounds / 2) {
            let gateway = try await gateway([])
            let result = try await FleetBench.run(
                idleProfile(10_000, hold: Int(max(6, 30 * scale)), ping: ", ping: {every: 25s}", target: "\(gateway.url)"), gateway,
                on: control)
            await gateway.stop()
            guard let (first, last) = result.steady else { continue }
            shares.append(Double(last.cpuNanoseconds - first.cpuNanoseconds) / 1e9 / (last.elapsed - first.elapsed) * 100)
        }
        let share = median(shares)
        return [
            BenchRow(
                name: "idle, 10000 devices, ping every 25 s", figure: share, unit: "% of a core", target: "<= 2 %", isMet: share <= 2)
        ]
    }

    // MARK: - Dials

    private func dialRows() async throws -> [BenchRow] {
        var rates: [Double] = []
        for _ in 0..<rounds {
            let gateway = try await gateway([])
            let devices = 10_000
            let result = try await FleetBench.run(
                """
                version: 1
                name: bench-dials
                target: {url: "\(gateway.url)"}
                devices: {count: \(devices)}
                load: [{ramp: \(devices), over: 100ms}, {hold: 5s}]
                connect_rate: 100000/s
                behaviour: {text: {every: 1h, body: 20B..20B}}
                """, gateway, on: control)
            await gateway.stop()
            rates.append(Double(devices) / (result.outcome.distribution(.usable, in: .ramp)?.max ?? .nan))
        }
        let rate = median(rates)
        return [BenchRow(name: "dials up to ready, one loop", figure: rate, unit: "/s", target: ">= 7000 /s", isMet: rate >= 7000)]
    }

    // MARK: - Photos

    private func photoRows() async throws -> [BenchRow] {
        let upload = try await throughput(
            gatewayOptions: [], behaviour: "{photo: {every: 400ms, size: 9MiB..9MiB, reply_within: 1m}}", counter: .uploadsBytes)
        let download = try await throughput(
            gatewayOptions: ["--send-photo-every", "1s", "--photo-bytes", "9MiB"], behaviour: "{text: {every: 1h, body: 20B..20B}}",
            counter: .downloadsBytes)
        return [
            BenchRow(
                name: "photos up, raw bytes per client CPU", figure: upload / 1_073_741_824, unit: "GiB a CPU-second", target: ">= 2 GiB",
                isMet: upload >= 2 * 1_073_741_824),
            BenchRow(
                name: "photos down, decoded and hashed", figure: download / 1_048_576, unit: "MiB a CPU-second", target: ">= 600 MiB",
                isMet: download >= 600 * 1_048_576),
        ]
    }

    private func throughput(gatewayOptions: [String], behaviour: String, counter: Counter) async throws -> Double {
        var figures: [Double] = []
        for _ in 0..<rounds {
            let gateway = try await gateway(gatewayOptions)
            let result = try await FleetBench.run(
                """
                version: 1
                name: bench-photos
                target: {url: "\(gateway.url)"}
                devices: {count: 20}
                load: [{ramp: 20, over: 500ms}, {hold: \(Int(max(5, 8 * scale)))s}]
                behaviour: \(behaviour)
                """, gateway, on: control)
            await gateway.stop()
            guard let (first, last) = result.steady else { continue }
            let bytes = last.snapshot.count(counter) - first.snapshot.count(counter)
            figures.append(Double(bytes) / (Double(last.cpuNanoseconds - first.cpuNanoseconds) / 1e9))
        }
        return median(figures)
    }

    // MARK: - Growth

    private func growthRows() async throws -> [BenchRow] {
        var ratios: [Double] = []
        var small: [Double] = []
        for _ in 0..<rounds {
            let few = try await messageCPU(devices: 100, everyMilliseconds: 50)
            let many = try await messageCPU(devices: 10_000, everyMilliseconds: 5000)
            small.append(few)
            ratios.append(many / few)
        }
        let ratio = median(ratios)
        return [
            BenchRow(
                name: "growth, CPU per text at 10000 / at 100", figure: ratio * median(small), unit: "µs", ratio: ratio,
                target: "<= 1.30 x", isMet: ratio <= 1.3, note: "2000 texts/s in both")
        ]
    }

    private func messageCPU(devices: Int, everyMilliseconds: Int) async throws -> Double {
        let gateway = try await gateway(["--no-stream", "--moods", "none"])
        let result = try await FleetBench.run(
            """
            version: 1
            name: bench-growth
            target: {url: "\(gateway.url)"}
            devices: {count: \(devices)}
            load: [{ramp: \(devices), over: 1s}, {hold: \(Int(max(5, 8 * scale)))s}]
            connect_rate: 5000/s
            behaviour: {text: {every: \(everyMilliseconds)ms, body: 100B..100B}}
            """, gateway, on: control)
        await gateway.stop()
        guard let (first, last) = result.steady else { return .nan }
        let texts = Double(max(1, last.snapshot.count(.messagesAnswered) - first.snapshot.count(.messagesAnswered)))
        return Double(last.cpuNanoseconds - first.cpuNanoseconds) / texts / 1000
    }
}
