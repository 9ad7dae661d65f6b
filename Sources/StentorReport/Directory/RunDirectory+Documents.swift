import StentorBase

extension RunDirectory {
    /// Makes `junit.xml` and `report.html` from the other files of the directory.
    ///
    /// - Throws: A failure of cause `.file` with the file that cannot be read or written.
    public func writeDocuments() throws(UserFailure) {
        let files = try RunFiles(path)
        try write(.junit, JUnitDocument.bytes(files.summary))
        try write(.report, ReportPage(files).bytes)
    }
}
