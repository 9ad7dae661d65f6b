import Glibc

/// A file with a piece for each second, of which those older than an hour are replaced by pieces for ten seconds: its size
/// grows ten times slower than the run.
///
/// The coarse pieces are made while the run goes on and kept in a second, hidden file. When enough is old, a new file is put together
/// from copies of both and renamed over the first, so what stands under the final name is whole at every moment.
///
///     name            header, coarse pieces of what is old, fine pieces of the last hour
///     .name.coarse    the coarse pieces of the whole run; removed at the end
final class ThinnedFile {
    /// When pieces are thinned.
    struct Rule: Sendable {
        /// How long a coarse piece is.
        var coarseSeconds = 10.0
        /// How old a fine piece may become.
        var keptSeconds = 3600.0
        /// How much must be too old before the file is written anew.
        var stepSeconds = 600.0
    }

    /// Where a coarse piece ends, and the fine ones that it stands for.
    private struct Mark {
        let endSeconds: Double
        let fineEnd: Int
        let coarseEnd: Int
    }

    private let directory: String
    private let name: String
    private let rule: Rule
    private var fine: AppendedFile
    private let coarse: AppendedFile
    private var header: [UInt8] = []
    private var marks: [Mark] = []
    /// Up to where the file is thinned.
    private var thinnedSeconds = 0.0
    /// Rewriting failed once: another try would fail alike, and the fine file is still whole.
    private var isStuck = false

    init(_ name: String, in directory: String, rule: Rule) throws(SystemFile.Failure) {
        (self.name, self.directory, self.rule) = (name, directory, rule)
        fine = try AppendedFile(name, path: "\(directory)/\(name)")
        coarse = try AppendedFile(name, path: "\(directory)/.\(name).coarse")
    }

    /// Bytes lost, see ``AppendedFile``.
    var lostBytes: Int { fine.lostBytes }

    /// Sets what stands above the first piece; once, before the first piece.
    func begin(_ header: [UInt8]) {
        self.header = header
        fine.append(header)
    }

    /// Takes the piece of a second.
    func append(_ piece: [UInt8]) { fine.append(piece) }

    /// Takes a coarse piece, which stands for all fine ones since the one before it.
    func appendCoarse(_ piece: [UInt8], endingAt seconds: Double) {
        coarse.append(piece)
        marks.append(Mark(endSeconds: seconds, fineEnd: fine.size, coarseEnd: coarse.size))
    }

    /// Writes what was taken, and thins when it is time.
    func flush() throws(SystemFile.Failure) {
        try coarse.flush()
        try fine.flush()
        guard let last = marks.last, !isStuck else { return }
        let limit = last.endSeconds - rule.keptSeconds
        guard limit - thinnedSeconds >= rule.stepSeconds, let index = marks.lastIndex(where: { $0.endSeconds <= limit }) else { return }
        do throws(SystemFile.Failure) { try thin(upTo: index) } catch {
            isStuck = true
            throw error
        }
    }

    /// Makes durable what was written.
    func synchronise() throws(SystemFile.Failure) { try fine.synchronise() }

    /// Removes the hidden file.
    func finish() { unlink("\(directory)/.\(name).coarse") }

    private func thin(upTo index: Int) throws(SystemFile.Failure) {
        let mark = marks[index]
        let path = "\(directory)/.\(name).tmp"
        let next = try AppendedFile(name, path: path)
        do throws(SystemFile.Failure) {
            next.append(header)
            try next.flush()
            try next.append(0..<mark.coarseEnd, of: coarse)
            try next.append(mark.fineEnd..<fine.size, of: fine)
            try next.synchronise()
            guard rename(path, "\(directory)/\(name)") == 0 else { throw SystemFile.Failure("rename") }
        } catch {
            unlink(path)
            throw error
        }
        let moved = header.count + mark.coarseEnd - mark.fineEnd
        fine = next
        thinnedSeconds = mark.endSeconds
        marks = marks[(index + 1)...].map { Mark(endSeconds: $0.endSeconds, fineEnd: $0.fineEnd + moved, coarseEnd: $0.coarseEnd) }
        try SystemFile.synchronise(directory: directory)
    }
}
