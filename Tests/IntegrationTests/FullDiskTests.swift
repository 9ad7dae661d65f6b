import Foundation
import TestSupport
import Testing

/// Runs whose disk is full before their report is written.
@Suite(.slots(1))
struct FullDiskTests {
    /// On the smaller disk there is no room for a first checkpoint; on the larger one the report is what does not fit.
    @Test(.requires(.disk), arguments: ["40k", "88k"])
    func `a full disk ends with 1, the numbers on stderr and nothing half-written`(size: String) async throws {
        let folder = try FreshDirectory()
        let outcome = try await OwnNamespace.run(
            .disk, size, [StentorBinary.path, "run", StentorRun.fixture("profiles/short.yaml"), "--out", "runs"], in: folder)
        #expect(outcome.exitCode == 1, "\(outcome)")
        #expect(outcome.errors.contains("No space left on device"), "\(outcome.errors)")
        #expect(outcome.errors.contains("\ntexts ") && outcome.errors.contains("\nverdict: "), "the numbers must not be lost")
        #expect(outcome.output.contains("\nverdict: "), "the result is printed all the same")

        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path("kept/runs")).first)
        let path = folder.path("kept/runs/\(name)")
        let files = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(!files.contains("report.html") && files.allSatisfy { !$0.hasSuffix(".tmp") }, "\(files)")
        for file in files where file.hasSuffix(".json") {
            #expect(throws: Never.self, "\(file) is whole") { try Facts(try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)) }
        }
        if files.contains("junit.xml") {
            #expect(try String(contentsOfFile: "\(path)/junit.xml", encoding: .utf8).hasSuffix("</testsuites>\n"))
        }
    }
}
