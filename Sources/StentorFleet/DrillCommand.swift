import Glibc
import StentorBase
import StentorLoop
import StentorProfile

/// A program that a drill runs. Control loop only.
final class DrillCommand {
    private let command: Profile.Command
    private let loop: EventLoop
    private var ended: ((DrillRecord.Outcome, String) -> Void)?
    private var child: ChildProcess?
    private var timer: LoopTimer?
    private var output: [UInt8] = []
    private var end: DrillRecord.Outcome?

    /// How much of its output is kept, from the end.
    private static let outputBytes = 4096

    init(_ command: Profile.Command, on loop: EventLoop, _ ended: @escaping (DrillRecord.Outcome, String) -> Void) {
        self.command = command
        self.loop = loop
        self.ended = ended
    }

    /// Starts it; `ended` is called once, perhaps before this returns.
    func start() {
        let name = command.words[0]
        guard let path = ChildProcess.find(name) else { return finish(.failed("there is no program '\(name)'")) }
        do throws(SystemFailure) {
            child = try ChildProcess(loop: loop, path: path, arguments: Array(command.words.dropFirst()), mergesErrors: true) {
                [weak self] event in
                switch event {
                case .line(let line): self?.printed(line)
                case .ended(let code): self?.exited(code)
                }
            }
            child?.closeInput()
        } catch {
            return finish(.failed("\(error)"))
        }
        let timer = LoopTimer { [unowned self] in kill(.timedOut) }
        self.timer = timer
        loop.schedule(timer, at: .now() + command.within)
    }

    /// Kills it if it still runs, because the run ends.
    func stop() { kill(.stopped) }

    private func kill(_ outcome: DrillRecord.Outcome) {
        guard ended != nil, end == nil, let child else { return }
        end = outcome
        child.signalGroup(SIGKILL)
    }

    private func printed(_ line: String) {
        output += Array(line.utf8.suffix(Self.outputBytes)) + [UInt8(ascii: "\n")]
        if output.count > 2 * Self.outputBytes { output.removeFirst(output.count - Self.outputBytes) }
    }

    private func exited(_ code: Int32) { finish(end ?? .exited(code)) }

    private func finish(_ outcome: DrillRecord.Outcome) {
        if let timer { loop.cancel(timer) }
        timer = nil
        let ended = ended.take()
        ended?(outcome, String(decoding: output.suffix(Self.outputBytes), as: UTF8.self))
    }
}
