import Foundation
import StentorMetrics
import TestSupport
import Testing

@testable import StentorReport

struct ThinnedFileTests {
    private let root: FreshDirectory
    private let rule = ThinnedFile.Rule(coarseSeconds: 10, keptSeconds: 100, stepSeconds: 30)

    init() throws {
        root = try FreshDirectory()
    }

    /// A file with the header `h` and a line `f<second>` a second, `c<second>` for ten.
    private func fill(_ file: ThinnedFile, seconds: Int, every step: Int = 1) throws {
        file.begin(Array("h\n".utf8))
        for second in 1...seconds {
            file.append(Array("f\(second)\n".utf8))
            if second % 10 == 0 { file.appendCoarse(Array("c\(second)\n".utf8), endingAt: Double(second)) }
            if second % step == 0 { try file.flush() }
        }
        try file.flush()
    }

    private func lines() throws -> [String] { try root.read("x.csv").split(separator: "\n").map(String.init) }

    /// What must stand in the file when all up to `coarse` is thinned.
    private func expected(coarse: Int, fine: Int) -> [String] {
        ["h"] + stride(from: 10, through: coarse, by: 10).map { "c\($0)" } + (coarse + 1...fine).map { "f\($0)" }
    }

    @Test(arguments: [(129, 0), (130, 30), (159, 30), (160, 60), (505, 390)])
    func `pieces older than what is kept are replaced, in steps`(seconds: Int, coarse: Int) throws {
        let file = try ThinnedFile("x.csv", in: root.path, rule: rule)
        try fill(file, seconds: seconds)
        #expect(try lines() == expected(coarse: coarse, fine: seconds))
    }

    @Test func `the file is thinned once when many seconds are flushed together`() throws {
        let file = try ThinnedFile("x.csv", in: root.path, rule: rule)
        try fill(file, seconds: 505, every: 505)
        #expect(try lines() == expected(coarse: 400, fine: 505))
    }

    @Test func `only the file itself is left at the end`() throws {
        let file = try ThinnedFile("x.csv", in: root.path, rule: rule)
        try fill(file, seconds: 200)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).sorted() == [".x.csv.coarse", "x.csv"])
        file.finish()
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == ["x.csv"])
    }

    @Test func `a file that cannot be thinned grows on`() throws {
        let file = try ThinnedFile("x.csv", in: root.path, rule: rule)
        try root.write("x", to: ".x.csv.tmp/inner")
        #expect(throws: SystemFile.Failure.self) { try fill(file, seconds: 130) }
        file.append(Array("more\n".utf8))
        try file.flush()
        let lines = try lines()
        #expect(lines.first == "h" && lines.last == "more" && lines.count == 132)
    }

    @Test func `a removed file is noticed when it is made durable`() throws {
        let file = try ThinnedFile("x.csv", in: root.path, rule: rule)
        try fill(file, seconds: 3)
        try file.synchronise()
        try FileManager.default.removeItem(atPath: root.path("x.csv"))
        #expect(throws: SystemFile.Failure("open", code: ENOENT)) { try file.synchronise() }
    }

    @Test func `what a full disk refuses is written later, and no line is torn`() throws {
        // A limit of this process's files would hit other tests; /dev/full refuses every byte.
        let full = try AppendedFile("full", path: "/dev/full")
        full.append(Array("a\n".utf8))
        #expect(throws: SystemFile.Failure("write", code: ENOSPC)) { try full.flush() }
        #expect(full.size == 2 && full.lostBytes == 0)
        full.append([UInt8](repeating: 65, count: AppendedFile.keptBytes))
        #expect(full.lostBytes == AppendedFile.keptBytes)
        #expect(throws: SystemFile.Failure("write", code: ENOSPC)) { try full.flush() }
    }
}
