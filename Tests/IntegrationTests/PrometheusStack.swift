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
        try await curl(["--get", url] + query.flatMap { ["--data-urlencode", $0] })
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

    /// One row of an instant query.
    struct Series {
        let labels: [String: String]
        let value: Double
        /// The name of its metric; empty after an operator.
        var name: String { labels["__name__"] ?? "" }
    }

    /// The rows of an instant query.
    func series(_ expression: String) async throws -> [Series] {
        let answer = try Facts(try await get(prometheus + "/api/v1/query", ["query=\(expression)"]))
        return answer["data", "result"].elements.compactMap { row in
            guard let value = row["value"].elements.last?.text.flatMap(Double.init) else { return nil }
            return Series(labels: row["metric"].members.compactMapValues(\.text), value: value)
        }
    }

    /// The values of an instant query.
    func query(_ expression: String) async throws -> [Double] {
        try await series(expression).map(\.value)
    }

    /// Lets Prometheus scrape a server of metrics, which it does from some seconds later on; nil: none any more.
    func scrape(_ url: String?) throws {
        let authority = url.map { $0.split(separator: "/")[1] }
        try folder.write(authority.map { #"[{"targets": ["\#($0)"]}]"# } ?? "[]", to: "stack/targets.json")
    }

    /// Puts a body into a group of the Pushgateway.
    func put(_ body: String, to group: String) async throws {
        let file = try folder.write(body, to: "body.txt")
        _ = try await curl(["-X", "PUT", "--data-binary", "@" + file, "\(pushgateway)/metrics/\(group)"])
    }

    /// Deletes a group of the Pushgateway.
    func delete(_ group: String) async throws {
        _ = try await curl(["-X", "DELETE", "\(pushgateway)/metrics/\(group)"])
    }

    /// Makes the Pushgateway hang at every later PUT to a job in base64 with labels behind it: one that it cannot decode leaves its handler locked.
    func wedge() async throws {
        _ = try await ChildProcess.run(
            ["curl", "-sS", "--max-time", "5", "-X", "PUT", "--data-binary", "a 1\n", "\(pushgateway)/metrics/job@base64/$$$/any/label"])
    }

    private func curl(_ options: [String]) async throws -> String {
        let outcome = try await ChildProcess.run(["curl", "-fsS"] + options)
        guard outcome.exitCode == 0 else { throw ChildFailure("curl \(options)", outcome) }
        return outcome.output
    }
}
