import Glibc
import StentorBase

/// Where the history is.
public enum HistoryLocation {
    /// The environment variable that names the file, or says `off`.
    public static let variable = "STENTOR_HISTORY"

    /// The file: what `--db` says, else `STENTOR_HISTORY`, else `stentor/history.sqlite` in the user's data directory.
    ///
    /// The data directory is `XDG_DATA_HOME`, when that is an absolute path, else `~/.local/share` (XDG Base Directory Specification 0.8).
    ///
    /// - Parameters:
    ///   - option: The value of `--db`; nil: not given.
    ///   - environment: Looks a variable up.
    /// - Returns: A path; nil when `STENTOR_HISTORY` is `off` and no file is named.
    /// - Throws: A failure of cause `.arguments` when nothing tells where the user's data is.
    public static func database(option: String?, environment: (String) -> String?) throws(UserFailure) -> String? {
        if let option { return option }
        if let named = environment(variable), !named.isEmpty { return named == "off" ? nil : named }
        if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") { return data + file }
        if let home = environment("HOME"), home.hasPrefix("/") { return home + "/.local/share" + file }
        throw UserFailure(
            .arguments, "there is no place for the history: neither XDG_DATA_HOME nor HOME is set",
            hint: "name a file with --db or \(variable)")
    }

    private static let file = "/stentor/history.sqlite"

    /// Makes the folders of a file that are missing, for the user alone.
    static func makeParent(of path: String) throws(UserFailure) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path[..<slash].split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? "\(part)" : "/\(part)"
            do throws(SystemFile.Failure) {
                _ = try SystemFile.makeDirectory(made, mode: 0o700)
            } catch {
                guard !SystemFile.isDirectory(made) else { continue }
                throw UserFailure(.file, "cannot make the folder of the history: \(error.text)", place: made)
            }
        }
    }

    /// The path from the root, without links; as given when there is nothing at it.
    static func absolute(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
