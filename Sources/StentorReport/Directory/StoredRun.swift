import StentorBase

/// A run directory that is read again, of a run that has ended, was killed, or goes on.
public struct StoredRun: Sendable {
    /// Where it is.
    public let path: String
    private let files: RunFiles

    /// Reads a directory; blocking.
    ///
    /// - Throws: A failure of cause `.arguments` when it is no run directory, of cause `.file` when a file of it is unreadable, damaged or
    ///   of a newer version.
    public init(path: String) throws(UserFailure) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        files = try RunFiles(path)
    }

    /// What could not be read as it should, a sentence each; empty when all is well.
    public var remarks: [String] { files.remarks }

    /// `summary.json`; of a run that was killed before its first checkpoint, what is known of it, with the verdict `incomplete`.
    public var summaryText: String { String(decoding: files.summaryBytes, as: UTF8.self) }

    /// What ``summaryText`` says.
    var summary: JSONTree { files.summary }

    /// Makes `junit.xml` and `report.html` in the directory.
    ///
    /// - Throws: A failure of cause `.file` with the file that cannot be written.
    public func writeDocuments() throws(UserFailure) {
        let directory = RunDirectory(existing: path)
        try directory.write(.junit, JUnitDocument.bytes(files.summary))
        try directory.write(.report, ReportPage(files).bytes)
    }

    /// Makes the report in another place; the directory stays as it is.
    ///
    /// - Throws: A failure of cause `.file` when the file cannot be written.
    public func writeReport(to file: String) throws(UserFailure) {
        try SystemFile.put(ReportPage(files).bytes, at: file, example: "report.html")
    }
}

extension RunDirectory {
    /// Makes `junit.xml` and `report.html` from the other files of the directory.
    ///
    /// - Throws: A failure of cause `.file` with the file that cannot be read or written.
    public func writeDocuments() throws(UserFailure) {
        try StoredRun(path: path).writeDocuments()
    }

    /// A directory that is there.
    init(existing path: String) {
        self.path = path
        name = String(path.split(separator: "/").last ?? "")
    }
}
