import StentorBase

extension SystemFile {
    /// Puts a file in place, wherever the user wants it.
    ///
    /// - Parameter example: A name for the hint when the path names a folder.
    /// - Throws: A failure of cause `.file` when it cannot be written, of cause `.arguments` when the path names no file.
    static func put(_ bytes: [UInt8], at file: String, example: String) throws(UserFailure) {
        let name = String(file.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
        let parent = String(file.dropLast(name.count))
        guard !name.isEmpty else {
            throw UserFailure(
                .arguments, "names a folder, not a file", place: file, hint: "add the name of the report, such as \(example)")
        }
        do throws(Failure) {
            try replace(name, in: parent.isEmpty ? "." : parent, with: bytes)
        } catch {
            throw UserFailure(.file, "cannot write (\(error.call)): \(error.text)", place: file)
        }
    }
}
