import Foundation
import TestSupport
import Testing

/// A part of the kernel that a program has for itself, so that its limits can be set without harm to others.
enum OwnNamespace: String {
    /// A network: its own loopback, ports and settings. Its measure is the range of local ports, such as `40000 40099`.
    case network
    /// Mounts: a small disk at `runs` of the folder. Its measure is a size such as `64k`; what is on it at the end is copied to `kept/runs`.
    case disk

    private var command: [String] {
        let isRoot = geteuid() == 0
        switch self {
        case .network:
            let settle = #"ip link set lo up && echo "$0" > /proc/sys/net/ipv4/ip_local_port_range && exec "$@""#
            return ["unshare", isRoot ? "-n" : "-rn", "sh", "-c", settle]
        case .disk:
            let settle = #"mkdir -p runs kept && mount -t tmpfs -o size="$0" tmpfs runs && { "$@"; code=$?; cp -R runs kept; exit $code; }"#
            return ["unshare", isRoot ? "-m" : "-rm", "sh", "-c", settle]
        }
    }

    /// Runs a program in a fresh namespace of this kind.
    static func run(
        _ kind: OwnNamespace, _ measure: String, _ command: [String], in folder: FreshDirectory
    ) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(
            kind.command + [measure] + command, environment: ["STENTOR_TOKEN": StentorRun.token], directory: folder.path)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test where the kernel, the container or a missing tool forbids it.
    static func requires(_ kind: OwnNamespace) -> Self {
        .enabled("a \(kind.rawValue) namespace of one's own is not permitted here") {
            let measure = kind == .network ? "40000 40099" : "64k"
            let outcome = try? await OwnNamespace.run(kind, measure, ["true"], in: try FreshDirectory())
            return outcome?.exitCode == 0
        }
    }
}
