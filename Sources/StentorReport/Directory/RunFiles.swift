import Glibc
import StentorBase
import StentorMetrics
import StentorWire

/// The content of a run directory as it is read again, also of a run that was killed.
struct RunFiles: Sendable {
    /// Where it was read from.
    let path: String
    /// `summary.json`; of a run that was killed before its first checkpoint, what `run.json` says and the verdict `incomplete`.
    let summary: JSONTree
    /// Whether there was a `summary.json`.
    let hasSummary: Bool
    /// What could not be read as it should, a sentence each.
    private(set) var remarks: [String] = []

    /// The format of run directories that this version writes; it reads all up to it.
    static let format = 1
    /// Larger files are refused: a day's run has tens of megabytes.
    private static let sizeLimit = 1 << 30

    /// Reads what every report needs.
    ///
    /// - Throws: A failure of cause `.arguments` when this is no run directory, of cause `.file` when a file cannot be read.
    init(_ path: String) throws(UserFailure) {
        guard SystemFile.isDirectory(path) else {
            let isThere = access(path, F_OK) == 0
            throw UserFailure(
                .arguments, isThere ? "is no run directory but a file" : "there is no such run directory", place: path, hint: Self.hint)
        }
        self.path = path
        guard let run = try Self.json(.run, in: path) else {
            throw UserFailure(.arguments, "is no run directory: it has no run.json", place: path, hint: Self.hint)
        }
        let format = run["format"]?.int ?? 1
        guard format <= Self.format else {
            throw UserFailure(
                .file, "has the format \(format), and this version reads formats up to \(Self.format)",
                place: "\(path)/\(RunDirectory.File.run.rawValue)",
                hint: "use the version of stentor that wrote it (\(PrintableText.clean(run["version"]?.string ?? "unknown")))")
        }
        let written = try Self.json(.summary, in: path)
        hasSummary = written != nil
        summary = written ?? .object(["verdict": .text("incomplete"), "run": run])
    }

    /// The bytes of a file; nil when it is not there.
    ///
    /// - Throws: A failure of cause `.file` when it cannot be read.
    func bytes(_ file: RunDirectory.File) throws(UserFailure) -> [UInt8]? {
        try Self.bytes(file, in: path)
    }

    private static let hint = "name a folder that 'stentor run' made, such as runs/20261130T034210Z-nightly-soak"

    private static func bytes(_ file: RunDirectory.File, in path: String) throws(UserFailure) -> [UInt8]? {
        let place = "\(path)/\(file.rawValue)"
        do throws(SystemFile.Failure) {
            return try SystemFile.readAll(place, limit: sizeLimit)
        } catch {
            guard error.code != ENOENT else { return nil }
            throw UserFailure(.file, "cannot be read (\(error.call)): \(error.text)", place: place)
        }
    }

    private static func json(_ file: RunDirectory.File, in path: String) throws(UserFailure) -> JSONTree? {
        guard let bytes = try bytes(file, in: path) else { return nil }
        do throws(JSONFailure) {
            return try JSONTree.object(reading: bytes)
        } catch {
            throw UserFailure(
                .file, "is damaged: \(error.cause.rawValue) at byte \(error.offset)", place: "\(path)/\(file.rawValue)",
                hint: "restore it; files that stentor writes are whole at every moment")
        }
    }
}
