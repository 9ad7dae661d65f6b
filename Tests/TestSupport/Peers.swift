import Foundation
import Testing

/// The judges: gateways, proxies and suites that share no code with Stentor.
public enum Peers {
    /// The folder of the judges: `STENTOR_PEERS`, otherwise `shared/peers` beside the repository; nil when there is none.
    public static var directory: String? {
        let named = ProcessInfo.processInfo.environment["STENTOR_PEERS"].flatMap { $0.isEmpty ? nil : $0 }
        let path = named ?? Repository.root + "/../shared/peers"
        return isDirectory(path) ? URL(fileURLWithPath: path).standardizedFileURL.path : nil
    }

    /// Whether a missing judge is a failure (`CI=true`) instead of a reason to skip.
    public static var isRequired: Bool {
        ProcessInfo.processInfo.environment["CI"] == "true"
    }

    /// Whether a judge is here.
    ///
    /// - Parameter name: Its folder, for instance `gateways`.
    public static func has(_ name: String) -> Bool {
        directory.map { FileManager.default.fileExists(atPath: $0 + "/" + name) } ?? false
    }

    /// The absolute path of a judge's file.
    ///
    /// - Parameter relative: The path below ``directory``, for instance `gateways/hermes_gateway.py`.
    /// - Throws: ``PeerFailure`` when it is not there.
    public static func path(_ relative: String) throws -> String {
        guard let directory, has(relative) else { throw PeerFailure(relative) }
        return directory + "/" + relative
    }

    /// The absolute path of an installed program; nil when there is none.
    ///
    /// - Parameter name: Its name; looked for in `PATH` and where administrators' programs are.
    public static func program(_ name: String) -> String? {
        // Typed, or the elements become arrays of characters and no folder of PATH is ever found.
        let path: [Substring] = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let folders = path.map(String.init) + ["/usr/sbin", "/sbin"]
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}

/// A judge that a test needs is not on this machine.
public struct PeerFailure: Error, CustomStringConvertible {
    /// What is missing and how to provide it.
    public let description: String

    init(_ name: String) {
        description = "the peer '\(name)' is not here: set STENTOR_PEERS to the folder of the peers"
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test when a judge is not here; under `CI=true` the test runs, and fails for want of it.
    ///
    /// - Parameter name: The judge's folder, for instance `gateways`.
    public static func requiresPeer(_ name: String) -> Self {
        .enabled(if: Peers.isRequired || Peers.has(name), "the peer '\(name)' is not here (see STENTOR_PEERS in Scripts/test --help)")
    }
}

/// Where the sources lie.
public enum Repository {
    /// The absolute path of the package's root, without a slash at the end.
    public static var root: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    }
}
