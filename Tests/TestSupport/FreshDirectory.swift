import Foundation

/// An empty temporary directory, removed with everything in it when the last reference goes.
public final class FreshDirectory: Sendable {
    /// Its absolute path, without a slash at the end.
    public let path: String

    /// Makes the directory.
    ///
    /// - Throws: Foundation's error when it cannot be made.
    public init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("stentor-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The absolute path of something in it.
    public func path(_ name: String) -> String {
        path + "/" + name
    }

    /// Writes a text file into it, making folders on the way.
    ///
    /// - Returns: The file's absolute path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        let url = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    /// Reads a text file in it.
    public func read(_ name: String) throws -> String {
        try String(contentsOf: URL(fileURLWithPath: path(name)), encoding: .utf8)
    }
}
