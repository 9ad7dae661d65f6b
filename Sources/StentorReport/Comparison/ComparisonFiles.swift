import StentorBase

/// The folder that the files of a comparison are written to.
public struct ComparisonFiles: Sendable {
    private let folder: String

    /// Names a folder; it is made with the first file.
    public init(folder: String) { self.folder = folder }

    /// Puts a file in place whole.
    ///
    /// - Throws: A failure of cause `.file` with the path and the system's reason.
    public func write(_ name: String, _ bytes: [UInt8]) throws(UserFailure) {
        try RunDirectory.makeAll(folder)
        try Self.write(folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)", bytes)
    }

    /// Puts a file in place whole.
    ///
    /// - Throws: A failure of cause `.arguments` when the path names a folder, of cause `.file` when it cannot be written.
    public static func write(_ path: String, _ bytes: [UInt8]) throws(UserFailure) {
        let name = String(path.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
        let parent = String(path.dropLast(name.count))
        guard !name.isEmpty else { throw UserFailure(.arguments, "names a folder, not a file", place: path) }
        do throws(SystemFile.Failure) {
            try SystemFile.replace(name, in: parent.isEmpty ? "." : parent, with: bytes)
        } catch {
            throw UserFailure(.file, "cannot write (\(error.call)): \(error.text)", place: path)
        }
    }
}
