import StentorFleet
import StentorMetrics
import StentorProfile
import Testing

/// A kind of fault or drill, as a profile writes it, and what shows that it happened.
public struct FaultKind: Sendable, CustomTestStringConvertible {
    /// What tests call it.
    public let name: String
    /// Lines of the profile.
    let lines: String
    /// Further lines of `behaviour`.
    var behaviour = ""
    /// Whether it cuts nothing off: nothing may be lost.
    public var isOrderly = false
    /// Sizes of the photos; small ones, unless the kind needs parts.
    var photos = "every: 300ms, size: 1KiB..6KiB"
    /// How long a reply may take where some will not come.
    var patience = "1500ms"
    /// `embedded`: a drill restarts the gateway.
    var url = "ws://127.0.0.1:1/ws"
    /// How long the load holds.
    var hold = "1300ms"
    /// Whether it cuts nothing but photos, each between two parts: the gateway never has one of those whole.
    public var cutsPhotos = false
    /// Whether its devices get photos and prompts and send photos, beside texts.
    public var hasMedia = true
    /// Devices of a fleet that a gateway in the same process can serve as well.
    public var devices = 2
    /// How often it happened in a run.
    public let happened: @Sendable (RunResult) -> Int64

    /// Its name.
    public var testDescription: String { name }

    /// The profile of a kind; the ids of its devices hold the seed.
    ///
    /// - Parameters:
    ///   - tls: The inside of `target.tls`.
    ///   - lines: Further lines, in place of its own.
    public func profile(seed: Int, devices: Int, tls: String? = nil, lines: String? = nil) throws -> Profile {
        // Who loses nothing waits for nothing: a long time costs none, and a busy machine may take it.
        let replyWithin = isOrderly ? "15s" : patience
        let media = "  photo: {\(photos), reply_within: \(replyWithin)}\n  prompts: {think: 10ms..60ms}\n"
        return try FleetSupport.profile(
            devices: devices, load: "ramp: \(devices), over: 50ms\nhold: \(hold)", url: tls == nil ? url : "wss://127.0.0.1:1/ws",
            seed: seed, id: Self.id(seed), tls: tls,
            """
            reconnect: {policy: fixed, base: 60ms}
            behaviour:
              text: {every: 100ms, reply_within: \(replyWithin)}
            \(hasMedia ? media : "")\(behaviour.isEmpty ? "" : "  \(behaviour)\n")\(lines ?? self.lines)
            """)
    }

    /// The ids of the devices of a seed.
    public static func ids(seed: Int, devices: Int) -> [String] {
        (0..<devices).map { id(seed).replacing("{index}", with: "\($0)") }
    }

    private static func id(_ seed: Int) -> String { "seed\(seed)-{index}" }

    private static let cuts: @Sendable (RunResult) -> Int64 = { $0.labels(.losses)["fault"] ?? 0 }
    private static let silences: @Sendable (RunResult) -> Int64 = { $0.labels(.losses)["silent"] ?? 0 }
    private static let deadGreetings: @Sendable (RunResult) -> Int64 = { $0.labels(.dialFailures)["fault"] ?? 0 }
    private static let absences: @Sendable (RunResult) -> Int64 = { $0.count(.absences) }
    private static let pings = "ping: {every: 50ms, pong_within: 250ms}"
    private static let bigPhotos = "every: 500ms, size: 3080KiB"
    /// A device that reads slower than the gateway writes.
    public static let slowReader = FaultKind(
        name: "slow_reader", lines: "faults: [{slow_reader: 100%, rate: 8KiB/s}]", isOrderly: true, hasMedia: false
    ) { $0.count(.messagesAnswered) }

    /// Every continuous fault, and both absences.
    public static let faults: [FaultKind] = [
        FaultKind(name: "reset", lines: "faults: [{drop: 500ms, how: reset}]", happened: cuts),
        FaultKind(name: "close", lines: "faults: [{drop: 500ms, how: close}]", isOrderly: true, happened: cuts),
        FaultKind(name: "half_open", lines: "faults: [{drop: 500ms, how: half_open}]", behaviour: pings, happened: silences),
        FaultKind(name: "after_send", lines: "faults: [{drop: 500ms, how: after_send}]", happened: cuts),
        FaultKind(
            name: "mid_upload", lines: "faults: [{drop: 100ms, how: mid_upload}]", photos: bigPhotos, patience: "4s", cutsPhotos: true,
            devices: 1,
            happened: cuts),
        FaultKind(
            name: "before_ready", lines: "faults: [{drop: 400ms, how: reset}, {drop: 200ms, how: before_ready}]", happened: deadGreetings),
        slowReader,
        FaultKind(
            name: "suspend", lines: "", behaviour: "away: {every: 600ms, for: 100ms..300ms, how: suspend}", isOrderly: true,
            happened: absences),
        FaultKind(
            name: "leave", lines: "", behaviour: "away: {every: 600ms, for: 100ms..300ms, how: leave}", isOrderly: true, happened: absences),
    ]

    /// The gateway resets connections, and the device does nothing.
    public static let cutByGateway = FaultKind(name: "cut by the gateway", lines: "") { $0.labels(.losses)["reset"] ?? 0 }

    /// A signal ends the gateway, and someone starts it again; see `profile(seed:devices:tls:lines:)` for the drill.
    public static let signal = FaultKind(name: "signal", lines: "", hold: "6s", hasMedia: false) {
        $0.count(.disconnects) - ($0.labels(.losses)["left"] ?? 0)
    }

    private static func drill(_ how: String) -> String {
        "drills: [{at: 500ms, name: cut, disconnect: {within: 200ms, how: \(how)}}]"
    }

    /// A drill for every way to cut.
    public static let drills: [FaultKind] = [
        FaultKind(name: "drill reset", lines: drill("reset"), happened: cuts),
        FaultKind(name: "drill close", lines: drill("close"), isOrderly: true, happened: cuts),
        FaultKind(name: "drill half_open", lines: drill("half_open"), behaviour: pings, happened: silences),
        FaultKind(name: "drill after_send", lines: drill("after_send"), happened: cuts),
        FaultKind(
            name: "drill mid_upload", lines: drill("mid_upload"), photos: bigPhotos, patience: "4s", cutsPhotos: true, devices: 1,
            happened: cuts),
        FaultKind(
            name: "drill before_ready",
            lines: """
                drills:
                  - {at: 450ms, name: greeting, disconnect: {how: before_ready}}
                  - {at: 500ms, name: cut, disconnect: {within: 200ms, how: reset}}
                """, happened: deadGreetings),
    ]

    /// Drills that restart the embedded gateway.
    public static let restarts: [FaultKind] = ["kill", "graceful"].map { how in
        FaultKind(
            name: "restart_embedded \(how)", lines: "drills: [{at: 500ms, name: restart, restart_embedded: {how: \(how), down: 200ms}}]",
            url: "embedded"
        ) { $0.labels(.losses)[how == "kill" ? "reset" : "closed_by_server"] ?? 0 }
    }
}
