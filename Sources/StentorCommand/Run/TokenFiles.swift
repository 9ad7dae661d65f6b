import Glibc
import StentorBase
import StentorFleet
import StentorProfile

/// Reads the tokens that a profile keeps in files. Contents never stand in a failure.
enum TokenFiles {
    private static let limitBytes = 64 << 20

    /// The tokens of a profile.
    ///
    /// - Throws: ``UserFailure`` naming file and line.
    static func read(_ token: Profile.Token) throws(UserFailure) -> FleetPlan.Tokens {
        switch token {
        case .none: return .shared(Secret(""))
        case .text(let secret): return .shared(secret)
        case .file(let path): return .shared(try single(path))
        case .tableFile(let path): return .table(try table(contents(path), path))
        }
    }

    /// The one token of a file.
    ///
    /// - Throws: ``UserFailure`` naming the file.
    static func single(_ path: String) throws(UserFailure) -> Secret {
        let text = try contents(path).split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
        guard text.count == 1, let line = text.first.map({ trimmed($0) }), !line.isEmpty else {
            throw UserFailure(.profile, "must hold one line, the token", place: path)
        }
        return Secret(String(line))
    }

    private static func table(_ text: String, _ path: String) throws(UserFailure) -> [String: Secret] {
        var table: [String: Secret] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let equals = line.firstIndex(of: "="), equals != line.startIndex, line.index(after: equals) != line.endIndex else {
                throw UserFailure(.profile, "expected device_id=token", place: "\(path):\(index + 1)")
            }
            let id = String(line[..<equals])
            guard table.updateValue(Secret(String(line[line.index(after: equals)...])), forKey: id) == nil else {
                throw UserFailure(
                    .profile, "a second token for device '\(id)'", place: "\(path):\(index + 1)", hint: "keep one of the lines")
            }
        }
        return table
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line
        while let last = line.last, last.isWhitespace { line.removeLast() }
        return line.drop { $0.isWhitespace }
    }

    private static func contents(_ path: String) throws(UserFailure) -> String {
        guard let file = fopen(path, "re") else {
            throw UserFailure(.profile, "cannot read the token file: \(String(cString: strerror(errno)))", place: path)
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= limitBytes else { throw UserFailure(.profile, "the token file is larger than 64 MiB", place: path) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
