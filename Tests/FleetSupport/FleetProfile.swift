import StentorBase
import StentorProfile

/// A profile of devices and a load; further lines are added at the end.
///
/// - Parameters:
///   - load: Its steps, one a line, without braces.
///   - url: The target; `embedded` lets a drill restart the gateway.
///   - id: How device ids are made.
///   - tls: The inside of `target.tls`; nil: none.
public func profile(
    devices: Int = 10, load: String, connectRate: String = "1000/s", url: String = "ws://127.0.0.1:1/ws", seed: Int = 7,
    id: String = "device-{index}", tls: String? = nil, _ more: String = ""
) throws -> Profile {
    let text = """
        version: 1
        name: test
        seed: \(seed)
        target: {url: "\(url)", connect_within: 5s, ready_within: 5s\(tls.map { ", tls: {\($0)}" } ?? "")}
        devices: {count: \(devices), id: "\(id)"}
        connect_rate: \(connectRate)
        load:
        \(load.split(separator: "\n").map { "  - {\($0)}" }.joined(separator: "\n"))
        \(more)

        """
    return try Profile.decode(Array(text.utf8), file: "test.yaml", options: DecodingOptions())
}
