import Foundation
import StentorBase
import TestSupport

/// The embedded gateway of a run, as the kernel shows it.
struct EmbeddedChild {
    let pid: pid_t
    let arguments: [String]
    let environment: [String: String]

    /// Whether it still runs; a zombie does not.
    var isRunning: Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
        return !status.contains(") Z ")
    }

    /// Waits until a run has started its gateway.
    static func find(of run: ChildProcess, within limit: Duration = .seconds(60)) async throws -> EmbeddedChild {
        try await eventually("embedded gateway", within: limit) {
            let text = try? String(contentsOfFile: "/proc/\(run.pid)/task/\(run.pid)/children", encoding: .utf8)
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(run.pid)/task")) ?? []
            let all = threads.compactMap { try? String(contentsOfFile: "/proc/\(run.pid)/task/\($0)/children", encoding: .utf8) }
            let pids = (all + [text ?? ""]).joined(separator: " ").split(separator: " ").compactMap { pid_t($0) }
            return pids.lazy.compactMap { Self.init(pid: $0) }.first { $0.environment["STENTOR_GATEWAY_PARENT"] != nil }
        }
    }

    /// Waits until so many connections are open at it.
    func awaitConnections(_ count: Int) async throws {
        _ = try await eventually("\(count) connections", within: .seconds(60)) {
            let folder = "/proc/\(pid)/fd"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let targets = names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
            // One socket listens.
            return targets.count { $0.hasPrefix("socket:") } > count ? true : nil
        }
    }

    private init?(pid: pid_t) {
        guard let command = Self.words("/proc/\(pid)/cmdline"), let variables = Self.words("/proc/\(pid)/environ") else { return nil }
        self.pid = pid
        arguments = command
        environment = Dictionary(
            variables.compactMap { word in word.firstIndex(of: "=").map { (String(word[..<$0]), String(word[word.index(after: $0)...])) } },
            uniquingKeysWith: { $1 })
    }

    private static func words(_ path: String) -> [String]? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Asks again and again until there is an answer: for what another process does in its own time.
///
/// - Throws: ``ChildFailure`` when there is none in time.
func eventually<Answer>(
    _ what: String, within limit: Duration = .seconds(60), _ question: () async throws -> Answer?
) async throws -> Answer {
    let deadline = Instant.now() + limit
    while true {
        if let answer = try await question() { return answer }
        guard Instant.now() < deadline else { throw ChildFailure("no \(what) in time") }
        try await Task.sleep(for: .milliseconds(20))
    }
}
