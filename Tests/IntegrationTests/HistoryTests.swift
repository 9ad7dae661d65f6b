import Foundation
import TestSupport
import Testing

/// The history as whole processes write and read it.
@Suite(.slots(1))
struct HistoryTests {
    /// For a machine that builds something else beside.
    private static let limit = Duration.seconds(180)
    private static let short = StentorRun.fixture("profiles/short.yaml")

    private func stentor(_ arguments: [String], _ history: String) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run([StentorBinary.path] + arguments, environment: ["STENTOR_HISTORY": history], within: Self.limit)
    }

    private func recorded(_ history: String) async throws -> [Facts] {
        let outcome = try await stentor(["history", "list", "--json"], history)
        #expect(outcome.exitCode == 0, "\(outcome)")
        return try Facts(outcome.output)["runs"].elements
    }

    /// Copies of one run's directory that are runs of their own.
    private func copies(_ count: Int, of run: StentorRun) throws -> [String] {
        let path = try #require(run.path)
        let id = (path as NSString).lastPathComponent
        return try (0..<count).map { number in
            let name = "\(id)-copy\(number)"
            for file in ["run.json", "summary.json"] {
                let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
                try run.folder.write(text.replacingOccurrences(of: id, with: name), to: "copies/\(name)/\(file)")
            }
            return run.folder.path("copies/\(name)")
        }
    }

    @Test func `a run is in the history with its labels, and without its token`() async throws {
        let run = try await StentorRun.run(Self.short, ["--label", "server=1.1.1"])
        let history = run.folder.path("history.sqlite")
        let found = try await recorded(history)
        #expect(found.count == 1)
        let first = try #require(found.first)
        #expect(first["directory"].text == run.path.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path })
        #expect(first["labels", "server"].text == "1.1.1" && first["directory_exists"] == .bool(true))
        #expect(first["verdict"].text == run.summary["verdict"].text)
        for suffix in ["", "-wal", "-shm"] {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: history + suffix))) ?? Data()
            #expect(bytes.range(of: Data(StentorRun.token.utf8)) == nil)
        }
        let shown = try await stentor(["history", "show", "server=1.1.1", "--json"], history)
        let numbers = try Facts(shown.output)["runs"].elements.first?["numbers"].elements ?? []
        let sent = numbers.first { $0["number"].text == "messages.sent" }
        #expect(sent?["value"].count == (try run.count("messages.sent")))
    }

    @Test func `runs are compared by the names that the history has for them`() async throws {
        let folder = try FreshDirectory()
        let history = folder.path("history.sqlite")
        for version in ["1.0.0", "1.1.0"] {
            let run = try await StentorRun.undisturbed({ $0 }) {
                try await StentorRun.run(Self.short, ["--label", "server=\(version)", "--db", history], in: folder)
            }
            run.expectPass()
        }
        // An invalid try of a busy machine is in the history too, and no reference means it.
        let compared = try await stentor(["compare", "history:server=1.0.0", "--", "history:server=1.1.0", "--json"], history)
        #expect(compared.exitCode == 0, "\(compared)")
        let comparison = try Facts(compared.output)
        let sides = ["base", "candidate"].map { comparison[$0].elements.count }
        #expect(sides == [1, 1], "\(compared.output.prefix(400))")
        let unknown = try await stentor(["compare", "history:server=1.0.0", "--", "history:server=9"], history)
        #expect(unknown.exitCode == 64 && unknown.errors.hasPrefix("stentor: history:server=9: "), "\(unknown)")
    }

    @Test func `a history that cannot be written costs a warning, not the verdict`() async throws {
        let run = try await StentorRun.run(Self.short, ["--db", "/dev/null/history.sqlite"])
        run.expectEnd(0, "pass")
        #expect(run.outcome.errors.contains("stentor: /dev/null/history.sqlite: the run is not in the history: "))
        #expect(!FileManager.default.fileExists(atPath: run.folder.path("history.sqlite")))
        // The run itself said so; made again from its directory it is recorded.
        let history = run.folder.path("later.sqlite")
        #expect(try await stentor(["report", try #require(run.path)], history).exitCode == 0)
        #expect(try await recorded(history).count == 1)
    }

    @Test func `a run asked not to leaves no history`() async throws {
        let run = try await StentorRun.run(Self.short, ["--no-history"])
        #expect(!FileManager.default.fileExists(atPath: run.folder.path("history.sqlite")))
        #expect(!run.outcome.errors.contains("history"))
    }

    @Test func `many processes make one history and lose no run`() async throws {
        let run = try await StentorRun.run(Self.short, ["--no-history"])
        let history = run.folder.path("new/history.sqlite")
        let directories = try copies(12, of: run)
        // Each of them may be the one that makes the file.
        let children = try directories.map {
            try ChildProcess([StentorBinary.path, "report", $0], environment: ["STENTOR_HISTORY": history])
        }
        for child in children {
            let outcome = try await child.exit(within: Self.limit)
            #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)")
        }
        #expect(Set(try await recorded(history).compactMap { $0["run_id"].text }).count == 12)
    }

    @Test func `a process killed at any moment leaves whole runs only`() async throws {
        let run = try await StentorRun.run(Self.short, ["--no-history"])
        let history = run.folder.path("history.sqlite")
        let directories = try copies(8, of: run)
        for directory in directories {
            let children = try (0..<3).map { number in
                try ChildProcess(
                    [StentorBinary.path, "report", directory, "--out", "\(directory)/\(number).html"],
                    environment: ["STENTOR_HISTORY": history])
            }
            // The end of one finds the others wherever they are.
            let outcome = try await children[0].exit(within: Self.limit)
            #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)")
            for child in children[1...] { child.signal(SIGKILL) }
            for child in children[1...] { try await child.exit(within: Self.limit) }
        }
        let exported = try await stentor(["history", "export", "--json"], history)
        let runs = try Facts(exported.output)["runs"].elements
        #expect(runs.count == 8)
        #expect(Set(runs.map { $0["numbers"].elements.count }).count == 1 && runs.allSatisfy { $0["gates"].elements.count == 1 })
    }

    /// Python's own SQLite stands in for a process that dies with the lock in its hands.
    @Test func `a writer killed within a transaction leaves nothing behind`() async throws {
        let run = try await StentorRun.run(Self.short)
        let history = run.folder.path("history.sqlite")
        let script = """
            import sqlite3, sys, time
            c = sqlite3.connect(sys.argv[1], isolation_level=None)
            c.execute("BEGIN IMMEDIATE")
            c.execute("UPDATE runs SET profile = 'torn'")
            c.execute("DELETE FROM numbers")
            print("holding", flush=True)
            time.sleep(600)
            """
        let writer = try ChildProcess(["python3", "-c", script, history])
        _ = try await writer.line(startingWith: "holding", within: Self.limit)
        // Readers do not wait for a writer.
        #expect(try await recorded(history).first?["profile"].text == "short")
        writer.signal(SIGKILL)
        try await writer.exit(within: Self.limit)
        let outcome = try await stentor(["report", try #require(run.path)], history)
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)")
        let found = try await recorded(history)
        #expect(found.count == 1 && found.first?["profile"].text == "short")
    }
}
