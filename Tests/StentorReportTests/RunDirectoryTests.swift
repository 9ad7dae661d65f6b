import Foundation
import StentorBase
import StentorMetrics
import TestSupport
import Testing

@testable import StentorReport

struct RunDirectoryTests {
    private let root: FreshDirectory

    init() throws {
        root = try FreshDirectory()
    }

    private func make(below parent: String? = nil, profile: String = "nightly-soak") throws(UserFailure) -> RunDirectory {
        try RunDirectory.make(below: parent ?? root.path, profile: profile, startedAtSeconds: 1_796_010_130.9)
    }

    private func failure(_ body: () throws(UserFailure) -> Void) -> UserFailure? {
        do throws(UserFailure) {
            try body()
            return nil
        } catch { return error }
    }

    private func entries(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    // Seconds and texts from `date -u -d @N`.
    @Test(arguments: [
        (0, "19700101T000000Z", "1970-01-01T00:00:00.000Z"), (951_782_399.5, "20000228T235959Z", "2000-02-28T23:59:59.500Z"),
        (951_782_400, "20000229T000000Z", "2000-02-29T00:00:00.000Z"),
        (1_796_010_130.25, "20261130T034210Z", "2026-11-30T03:42:10.250Z"), (-1, "19700101T000000Z", "1970-01-01T00:00:00.000Z"),
        (Double.nan, "19700101T000000Z", "1970-01-01T00:00:00.000Z"),
    ])
    func `times are written in UTC`(seconds: Double, compact: String, text: String) {
        #expect(UTCTime.compact(seconds) == compact)
        #expect(UTCTime.text(seconds) == text)
    }

    @Test(arguments: [
        ("nightly-soak", "nightly-soak"), ("a b/../c", "a-b-..-c"), ("größe", "gr--e"), ("", "run"),
        (String(repeating: "x", count: 300), String(repeating: "x", count: 100)),
    ])
    func `a directory is named by start and profile`(profile: String, expected: String) {
        #expect(RunDirectory.name(profile: profile, startedAtSeconds: 1_796_010_130.9) == "20261130T034210Z-" + expected)
    }

    @Test func `missing parents are made`() throws {
        let directory = try make(below: root.path("deep/runs"))
        #expect(directory.name == "20261130T034210Z-nightly-soak")
        #expect(directory.path == root.path("deep/runs/20261130T034210Z-nightly-soak"))
        #expect(try entries(root.path("deep/runs")) == [directory.name])
    }

    @Test func `a taken name gets the first free suffix`() throws {
        let names = try [make().name, make().name, make().name]
        let base = "20261130T034210Z-nightly-soak"
        #expect(names == [base, base + "-2", base + "-3"])
    }

    @Test func `a file in place of a parent is a failure`() throws {
        try root.write("x", to: "runs")
        #expect(
            failure { () throws(UserFailure) in _ = try make(below: root.path("runs/deep")) }
                == UserFailure(
                    .file, "is not a folder", place: root.path("runs"),
                    hint: "choose a folder that can be written to with --out or output.dir"))
    }

    @Test func `a place where nothing can be made is a failure with the system's reason`() {
        let failure = failure { () throws(UserFailure) in _ = try make(below: "/proc/runs") }
        #expect(failure?.place == "/proc/runs")
        #expect(failure?.message == "cannot make the folder: No such file or directory")
        #expect(failure?.exitCode == .failure)
    }

    @Test func `a folder that lets nothing in is a failure with the system's reason`() {
        let failure = failure { () throws(UserFailure) in _ = try make(below: "/proc") }
        #expect(failure?.place == "/proc/20261130T034210Z-nightly-soak")
        #expect(failure?.message == "cannot make the run directory: No such file or directory")
    }

    @Test func `a file is replaced whole and nothing else stays`() throws {
        let directory = try make()
        try directory.write(.profile, Array(repeating: UInt8(ascii: "a"), count: 100_000))
        try directory.write(.profile, Array("short\n".utf8))
        #expect(try root.read("\(directory.name)/profile.yaml") == "short\n")
        #expect(try entries(directory.path) == ["profile.yaml"])
    }

    @Test func `an empty file can be written`() throws {
        let directory = try make()
        try directory.write(.profile, [])
        #expect(try root.read("\(directory.name)/profile.yaml") == "")
    }

    @Test func `everybody may read a file and its owner may write it`() throws {
        let directory = try make()
        try directory.write(.profile, [1])
        let mode = try FileManager.default.attributesOfItem(atPath: directory.path + "/profile.yaml")[.posixPermissions] as? Int
        // The umask may only take away.
        #expect(try #require(mode) & ~0o644 == 0)
        #expect(try #require(mode) & 0o600 == 0o600)
    }

    @Test func `what a killed run left half-written is overwritten`() throws {
        let directory = try make()
        try root.write("half of a longer text", to: "\(directory.name)/.summary.json.tmp")
        try directory.write(.summary, Array("{}\n".utf8))
        #expect(try root.read("\(directory.name)/summary.json") == "{}\n")
        #expect(try entries(directory.path) == ["summary.json"])
    }

    @Test func `a link in place of the temporary file leads nowhere`() throws {
        let directory = try make()
        let other = try root.write("precious", to: "other")
        try FileManager.default.createSymbolicLink(atPath: directory.path + "/.summary.json.tmp", withDestinationPath: other)
        let failure = failure { () throws(UserFailure) in try directory.write(.summary, [1]) }
        #expect(failure?.message == "cannot write (open): Too many levels of symbolic links")
        #expect(try root.read("other") == "precious")
    }

    @Test func `a file that cannot be replaced is a failure and leaves no temporary file`() throws {
        let directory = try make()
        try root.write("x", to: "\(directory.name)/run.json/inner")
        let failure = failure { () throws(UserFailure) in try directory.write(ReportFixture.run) }
        #expect(failure == UserFailure(.file, "cannot write (rename): Is a directory", place: directory.path + "/run.json"))
        #expect(try entries(directory.path) == ["run.json"])
    }

    @Test func `a removed directory is a failure`() throws {
        let directory = try make()
        try FileManager.default.removeItem(atPath: directory.path)
        let failure = failure { () throws(UserFailure) in try directory.write(ReportFixture.report(ReportFixture.snapshot())) }
        #expect(failure == UserFailure(.file, "cannot write (open): No such file or directory", place: directory.path + "/summary.json"))
    }

    @Test func `the run's record and summary are JSON files`() throws {
        let directory = try make()
        try directory.write(ReportFixture.run)
        try directory.write(ReportFixture.report(ReportFixture.snapshot()))
        #expect(try entries(directory.path) == ["run.json", "summary.json"])
        #expect(
            try root.read("\(directory.name)/run.json") == """
                {
                  "format": 1,
                  "run_id": "20261130T034210Z-nightly-soak",
                  "profile": "nightly-soak",
                  "profile_digest": "ab12",
                  "seed": 18446744073709551615,
                  "version": "0.1.0",
                  "dialect": "hermes",
                  "target_host": "gw.example",
                  "server_version": null,
                  "shard": null,
                  "labels": {
                    "server": "1.1.1"
                  },
                  "host": {
                    "hostname": "loader",
                    "cores": 2,
                    "kernel": "Linux 6.1.0",
                    "memory_bytes": 4294967296
                  },
                  "started_at": "2026-11-30T03:42:10.250Z",
                  "ended_at": "2026-11-30T03:43:10.500Z",
                  "planned_seconds": 60.0
                }

                """)
    }

    @Test func `a label given twice keeps its last value`() {
        var run = ReportFixture.run
        run.labels = [.init(name: "a", value: "1"), .init(name: "b", value: ""), .init(name: "a", value: "2")]
        #expect(run.json["labels"] == .object(["a": .text("2"), "b": .text("")]))
    }
}
