import Glibc
import StentorBase
import StentorLoop
import StentorWire

/// A server under the bench: a child process on a private loopback address, on a core of its own where there is one. Control loop only.
final class BenchServer {
    let url: TargetURL
    let processID: Int32
    private let child: ChildProcess
    private let ended: LoopPromise<Void>

    /// Starts a program that prints `listening on URL`.
    ///
    /// - Throws: ``UserFailure`` when it does not come up, or someone else holds the address.
    static func start(_ program: String, _ arguments: [String], host: String, cpu: Int?, on loop: EventLoop) async throws -> BenchServer {
        let listening = LoopPromise<String?>(loop)
        let ended = LoopPromise<Void>(loop)
        var words = [program] + arguments
        if let cpu { words = ["taskset", "-c", "\(cpu)"] + words }
        let child = try ChildProcess(loop: loop, path: "/usr/bin/env", arguments: words) { event in
            switch event {
            case .line(let line): if line.hasPrefix("listening on ") { listening.fulfil(String(line.dropFirst("listening on ".count))) }
            case .ended:
                listening.fulfil(nil)
                ended.fulfil(())
            }
        }
        guard let text = await listening.value(until: .now() + .seconds(10)) ?? nil else {
            child.signal(SIGKILL)
            throw UserFailure(.machine, "\(program) did not start")
        }
        let url = try TargetURL(text, cause: .machine)
        try ProcessFacts.requireListener(child.processID, host: host, port: url.port)
        return BenchServer(url: url, child: child, ended: ended)
    }

    private init(url: TargetURL, child: ChildProcess, ended: LoopPromise<Void>) {
        self.url = url
        self.child = child
        self.ended = ended
        processID = child.processID
    }

    /// CPU time that it has used, in nanoseconds.
    var cpuNanoseconds: Int64 { ProcessFacts.cpu(of: processID) }

    func stop() async {
        child.signal(SIGTERM)
        if await ended.value(until: .now() + .seconds(10)) == nil { child.signal(SIGKILL) }
    }
}
