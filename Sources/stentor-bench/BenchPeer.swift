import Glibc
import StentorBase
import StentorLoop

/// An independent load generator, measured in the same run when it is there.
struct BenchPeer: Sendable {
    let path: String

    /// uWebSockets' `load_test`, if `STENTOR_BENCH_PEERS` names it: `load_test=PATH`, several separated by commas.
    static var loadTest: BenchPeer? {
        guard let value = getenv("STENTOR_BENCH_PEERS") else { return nil }
        for item in String(cString: value).split(separator: ",") {
            let parts = item.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0] == "load_test" { return BenchPeer(path: String(parts[1])) }
        }
        return nil
    }

    /// Runs it against a server, 1000 connections with one text each in flight.
    ///
    /// It prints the messages of the last four seconds; the first line still holds the dials. CPU is the process's own between the first line
    /// and the third.
    func microsecondsPerRoundTrip(_ server: BenchServer, on loop: EventLoop) async throws -> Double {
        var lines: [(at: Instant, rate: Double, cpu: Int64)] = []
        let enough = LoopPromise<Void>(loop)
        let ended = LoopPromise<Void>(loop)
        var processID: Int32 = 0
        let child = try ChildProcess(
            loop: loop, path: "/usr/bin/env",
            arguments: ["stdbuf", "-oL", path, "1000", server.url.host, "\(server.url.port)", "0", "0", "150"]
        ) { event in
            switch event {
            case .line(let line):
                guard let rate = line.split(separator: " ").compactMap({ Double($0) }).first else { return }
                lines.append((.now(), rate, ProcessFacts.cpu(of: processID)))
                if lines.count == 3 { enough.fulfil(()) }
            case .ended:
                enough.fulfil(())
                ended.fulfil(())
            }
        }
        processID = child.processID
        _ = await enough.value(until: .now() + .seconds(20))
        child.signal(SIGTERM)
        if await ended.value(until: .now() + .seconds(5)) == nil { child.signal(SIGKILL) }
        guard lines.count >= 3 else { return .nan }
        let messages = (lines[1].rate * (lines[1].at - lines[0].at).inSeconds) + (lines[2].rate * (lines[2].at - lines[1].at).inSeconds)
        return Double(lines[2].cpu - lines[0].cpu) / messages / 1000
    }
}
