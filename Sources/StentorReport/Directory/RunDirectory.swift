import StentorBase

/// The directory that holds all files of a run.
///
/// Each file that is replaced is put in place whole (temporary file, fsync, rename), so that nothing half-written ever stands under
/// a final name, also after a crash; those that grow are a ``RunJournal``'s. A name must not be written from two threads at once;
/// different names may.
public struct RunDirectory: Sendable, Equatable {
    /// The files that a run writes.
    public enum File: String, CaseIterable, Sendable {
        /// What the run is; written at the start and at the end.
        case run = "run.json"
        /// The profile as resolved, without secrets.
        case profile = "profile.yaml"
        /// All numbers, gates and the verdict; replaced every 10 s until the run ends.
        case summary = "summary.json"
        /// Histograms of each second, in HdrHistogram's log format.
        case intervals = "intervals.hlog"
        /// A row a second.
        case timeline = "timeline.csv"
        /// What happened once.
        case events = "events.jsonl"
        /// A row per device and loss.
        case reconnects = "reconnects.csv"
        /// Items that did not arrive as they should.
        case offenders = "offenders.jsonl"
        /// The report for people; at the end.
        case report = "report.html"
        /// The gates as test cases; at the end.
        case junit = "junit.xml"
    }

    /// Its name, which is the run's id: `20261130T034210Z-nightly-soak`.
    public let name: String
    /// Where it is: the parent as given, a slash and the name.
    public let path: String

    /// Makes the directory, and its parents when they are missing.
    ///
    /// Call it before anything is dialled: it proves that the place can be written to. When the name is taken, the first free one of
    /// `-2`, `-3` … is appended.
    ///
    /// - Parameters:
    ///   - parent: The folder of run directories, `output.dir` of the profile; relative to the working directory. Empty: that itself.
    ///   - profile: The profile's name; what is not a letter, digit, `.`, `_` or `-` of ASCII becomes `-`.
    ///   - startedAtSeconds: The start on the wall clock, in seconds since 1970.
    /// - Throws: A failure of cause `.file` with the path that could not be made and the system's reason.
    public static func make(below parent: String, profile: String, startedAtSeconds: Double) throws(UserFailure) -> RunDirectory {
        let parent = parent.isEmpty ? "." : parent
        try makeAll(parent)
        let base = name(profile: profile, startedAtSeconds: startedAtSeconds)
        for attempt in 1...10_000 {
            let name = attempt == 1 ? base : "\(base)-\(attempt)"
            let path = parent.hasSuffix("/") ? parent + name : "\(parent)/\(name)"
            do throws(SystemFile.Failure) {
                guard try SystemFile.makeDirectory(path) else { continue }
                try SystemFile.synchronise(directory: parent)
            } catch {
                throw UserFailure(.file, "cannot make the run directory: \(error.text)", place: path, hint: Self.hint)
            }
            return RunDirectory(name: name, path: path)
        }
        throw UserFailure(.file, "cannot make the run directory: 10000 of this name exist", place: "\(parent)/\(base)")
    }

    /// The name of a run's directory before any suffix.
    public static func name(profile: String, startedAtSeconds: Double) -> String {
        let cleaned = profile.unicodeScalars.prefix(100).map { isPlain($0) ? Character($0) : "-" }
        return "\(UTCTime.compact(startedAtSeconds))-\(cleaned.isEmpty ? "run" : String(cleaned))"
    }

    /// Puts a file in place.
    ///
    /// - Throws: A failure of cause `.file` with the path and the system's reason; a former file of this name is unchanged.
    public func write(_ file: File, _ bytes: [UInt8]) throws(UserFailure) {
        do throws(SystemFile.Failure) {
            try SystemFile.replace(file.rawValue, in: path, with: bytes)
        } catch {
            throw failure(file.rawValue, error)
        }
    }

    /// A call on a file in it that failed, as the user is told.
    func failure(_ name: String, _ error: SystemFile.Failure) -> UserFailure {
        UserFailure(.file, "cannot write (\(error.call)): \(error.text)", place: "\(path)/\(name)")
    }

    /// Writes `run.json`; at the start, and again when ``RunRecord/endedAtSeconds`` is known.
    ///
    /// - Throws: As ``write(_:_:)``.
    public func write(_ run: RunRecord) throws(UserFailure) {
        try write(.run, run.json.prettyBytes)
    }

    /// Writes `summary.json`: a checkpoint or the final one.
    ///
    /// - Throws: As ``write(_:_:)``.
    public func write(_ report: RunReport) throws(UserFailure) {
        try write(.summary, SummaryDocument.bytes(report))
    }

    private static let hint = "choose a folder that can be written to with --out or output.dir"

    /// Makes a folder and its parents, as far as they are missing.
    static func makeAll(_ path: String) throws(UserFailure) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? "\(part)" : "/\(part)"
            do throws(SystemFile.Failure) {
                if try SystemFile.makeDirectory(made) { continue }
            } catch {
                // A parent may be readable only, and still lead to a folder that is ours.
                guard !SystemFile.isDirectory(made) else { continue }
                throw UserFailure(.file, "cannot make the folder: \(error.text)", place: made, hint: hint)
            }
            guard SystemFile.isDirectory(made) else {
                throw UserFailure(.file, "is not a folder", place: made, hint: hint)
            }
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "._-".unicodeScalars.contains(scalar))
    }
}
