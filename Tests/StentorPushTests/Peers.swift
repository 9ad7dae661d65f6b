import Foundation

/// Programs of others that judge us: found by `STENTOR_PEERS` or beside the package; with `CI=true` they must be there.
enum Peers {
    static let isRequired = ProcessInfo.processInfo.environment["CI"] == "true"

    /// `stack.sh`, which starts a Pushgateway and a Prometheus; nil where it or one of the programs is missing.
    static let stack: String? = {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let given = ProcessInfo.processInfo.environment["STENTOR_PEERS"].map { [URL(fileURLWithPath: $0)] }
        let beside = [1, 2].map { levels in
            (0..<levels).reduce(package) { path, _ in path.deletingLastPathComponent() }.appendingPathComponent("shared/peers")
        }
        let scripts = (given ?? beside).map { $0.appendingPathComponent("prometheus/stack.sh").path }
        let programs = ["prometheus", "prometheus-pushgateway", "promtool", "curl"]
        guard programs.allSatisfy({ program($0) != nil }) else { return nil }
        return scripts.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    static func program(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program to its end and gives its output.
    ///
    /// Not with Foundation's `Process`: it waits for a socket that daemons started by the program inherit and keep open.
    @discardableResult
    static func run(_ path: String, _ arguments: [String]) throws -> String {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("stentor-\(UUID().uuidString)").path
        defer { unlink(output) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        // Daemons that the program starts must not keep other tests' connections open.
        let closing = "for f in /proc/$$/fd/*; do n=${f##*/}; (( n > 2 )) && eval \"exec $n>&-\"; done; exec \"$@\""
        var words = (["bash", "-c", closing, "bash", path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        guard posix_spawn(&child, "/bin/bash", &actions, nil, &words, environ) == 0 else { throw Failure(command: path, status: -1) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Failure(command: "\(path) \(arguments)", status: status) }
        return try String(contentsOfFile: output, encoding: .utf8)
    }

    struct Failure: Error {
        let command: String
        let status: Int32
    }
}

/// A Pushgateway and a Prometheus that scrapes it each second; stopped and removed at the end.
final class PrometheusStack {
    let pushgateway: String
    private let prometheus: String
    private let script: String
    private let directory: URL

    init(script: String) throws {
        self.script = script
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("stentor-stack-\(UUID().uuidString)")
        let output = try Peers.run(script, ["start", directory.path])
        let pairs = output.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }.filter { $0.count == 2 }
        let values = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
        (pushgateway, prometheus) = (values["PGW_URL"] ?? "", values["PROM_URL"] ?? "")
    }

    deinit {
        _ = try? Peers.run(script, ["stop", directory.path])
        try? FileManager.default.removeItem(at: directory)
    }

    private func get(_ url: String, _ query: [String] = []) throws -> Any {
        let text = try Peers.run("/usr/bin/env", ["curl", "-fsS", "--get", url] + query.flatMap { ["--data-urlencode", $0] })
        return try JSONSerialization.jsonObject(with: Data(text.utf8))
    }

    /// The groups that the Pushgateway holds, by their labels.
    func groups() throws -> [[String: String]] {
        let answer = try get(pushgateway + "/api/v1/metrics") as? [String: Any]
        return (answer?["data"] as? [[String: Any]] ?? []).compactMap { $0["labels"] as? [String: String] }
    }

    /// The series and values of an instant query.
    func query(_ expression: String) throws -> [(labels: [String: String], value: String)] {
        let answer = try get(prometheus + "/api/v1/query", ["query=\(expression)"]) as? [String: Any]
        let result = (answer?["data"] as? [String: Any])?["result"] as? [[String: Any]] ?? []
        return result.map { row in
            (row["metric"] as? [String: String] ?? [:], (row["value"] as? [Any])?.last as? String ?? "")
        }
    }

    /// The same, asked again until there is a result, for at most fifteen seconds: Prometheus scrapes in its own time.
    func awaitResult(_ expression: String) throws -> [(labels: [String: String], value: String)] {
        for _ in 0..<150 {
            let result = try query(expression)
            if !result.isEmpty { return result }
            usleep(100_000)
        }
        return []
    }
}
