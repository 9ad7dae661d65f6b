import Foundation
import TestSupport

/// A Pushgateway and a Prometheus that scrapes it each second.
struct PrometheusStack {
    let pushgateway: String
    let prometheus: String
    private let folder: FreshDirectory

    /// Installs what is missing, and starts both on free ports.
    static func start() async throws -> PrometheusStack {
        let installation = try await ChildProcess.run([try Peers.path("prometheus/install.sh")], within: .seconds(300))
        guard installation.exitCode == 0 else { throw ChildFailure("Prometheus cannot be installed", installation) }
        let folder = try FreshDirectory()
        let outcome = try await ChildProcess.run(
            [try Peers.path("prometheus/stack.sh"), "start", folder.path("stack")], within: .seconds(60))
        var addresses: [String: String] = [:]
        for line in outcome.output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { addresses[parts[0]] = parts[1] }
        }
        guard outcome.exitCode == 0, let pushgateway = addresses["PGW_URL"], let prometheus = addresses["PROM_URL"] else {
            throw ChildFailure("no Prometheus", outcome)
        }
        return PrometheusStack(pushgateway: pushgateway, prometheus: prometheus, folder: folder)
    }

    func stop() async throws {
        _ = try await ChildProcess.run([try Peers.path("prometheus/stack.sh"), "stop", folder.path("stack")], within: .seconds(30))
    }

    private func get(_ url: String, _ query: [String] = []) async throws -> String {
        let outcome = try await ChildProcess.run(["curl", "-fsS", "--get", url] + query.flatMap { ["--data-urlencode", $0] })
        guard outcome.exitCode == 0 else { throw ChildFailure("no answer from \(url)", outcome) }
        return outcome.output
    }

    /// The labels of the groups that the Pushgateway holds.
    func groups() async throws -> [[String: String]] {
        let answer = try Facts(try await get(pushgateway + "/api/v1/metrics"))
        return answer["data"].elements.map { $0["labels"].members.compactMapValues(\.text) }
    }

    /// The values without labels of their own that one group holds, by family.
    func pushed(_ group: [String: String]) async throws -> [String: Double] {
        let answer = try Facts(try await get(pushgateway + "/api/v1/metrics"))
        guard let found = answer["data"].elements.first(where: { $0["labels"].members.compactMapValues(\.text) == group }) else {
            return [:]
        }
        var values: [String: Double] = [:]
        for (name, family) in found.members {
            guard let metrics = Optional(family["metrics"].elements), metrics.count == 1, let text = metrics.first?["value"].text else {
                continue
            }
            values[name] = Double(text)
        }
        return values
    }

    /// All that the Pushgateway exposes of Stentor.
    func metrics() async throws -> String {
        let lines = try await get(pushgateway + "/metrics").split(separator: "\n")
        // Its own families are not ours to be linted.
        return lines.filter { $0.hasPrefix("stentor_") || $0.hasPrefix("# HELP stentor_") || $0.hasPrefix("# TYPE stentor_") }
            .joined(separator: "\n") + "\n"
    }

    /// What `promtool` says of a set of metrics.
    func lint(_ text: String) async throws -> ChildProcess.Outcome {
        let file = try folder.write(text, to: "metrics.txt")
        return try await ChildProcess.run(["/bin/sh", "-c", #"exec promtool check metrics < "$0""#, file])
    }

    /// The values of an instant query.
    func query(_ expression: String) async throws -> [Double] {
        let answer = try Facts(try await get(prometheus + "/api/v1/query", ["query=\(expression)"]))
        return answer["data", "result"].elements.compactMap { $0["value"].elements.last?.text.flatMap(Double.init) }
    }
}
