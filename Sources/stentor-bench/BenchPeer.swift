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

    /// Runs it for some seconds against a server, 1000 connections with one text each in flight.
    ///
    /// Round trips are those that it prints (messages a second), CPU is the process's own.
    func microsecondsPerRoundTrip(_ server: BenchServer, seconds: Double, on loop: EventLoop) async throws -> Double {
        var lines: [(at: Instant, rate: Double)] = []
        let ended = LoopPromise<Void>(loop)
        let child = try ChildProcess(
            loop: loop, path: "/usr/bin/env",
            arguments: ["stdbuf", "-oL", path, "1000", server.url.host, "\(server.url.port)", "0", "0", "150"]
        ) { event in
            switch event {
            case .line(let line):
                if let colon = line.lastIndex(of: ":"),
                    let rate = Double(line[line.index(after: colon)...].filter { "0123456789.".contains($0) })
                {
                    lines.append((.now(), rate))
                }
            case .ended: ended.fulfil(())
            }
        }
        await loop.sleep(until: .now() + .seconds(1.5))
        let (begin, cpu) = (Instant.now(), ProcessFacts.cpu(of: child.processID))
        await loop.sleep(until: begin + .seconds(seconds))
        let (end, used) = (Instant.now(), ProcessFacts.cpu(of: child.processID) - cpu)
        child.signal(SIGTERM)
        if await ended.value(until: .now() + .seconds(5)) == nil { child.signal(SIGKILL) }
        let rates = lines.filter { $0.at >= begin && $0.at <= end + .seconds(1) }.map(\.rate)
        guard !rates.isEmpty, used > 0 else { return .nan }
        let rate = rates.reduce(0, +) / Double(rates.count)
        return Double(used) / (rate * (end - begin).inSeconds) / 1000
    }
}
