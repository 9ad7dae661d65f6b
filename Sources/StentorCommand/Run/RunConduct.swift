import Glibc
import StentorBase
import StentorFleet
import StentorLoop
import StentorMetrics
import StentorProfile
import StentorReport
import StentorWire

/// One run from the first dial to the last line: progress, pushes and checkpoints while it goes on, then verdict and report. Control loop only.
final class RunConduct {
    private let setup: RunSetup
    private let arguments: RunArguments
    private let console: Console
    private let exports: RunExports
    private let control: EventLoop
    private var record: RunRecord
    private var gateway: EmbeddedGateway?
    private var fleet: FleetRun?
    private var progress: RunProgress?
    private var processes = ProcessWatch()
    private var interruption: VerdictRule.Interruption?
    private var second = 0
    /// Whether all is said, and only a last scrape is waited for.
    private var isOver = false
    private var log: RunLog?

    private static let checkpointSeconds = 10
    /// How long devices may finish what they began after a signal.
    private static let signalGrace = Duration.seconds(5)

    init(_ setup: RunSetup, arguments: RunArguments, console: Console, exports: RunExports, control: EventLoop) {
        self.setup = setup
        self.arguments = arguments
        self.console = console
        self.exports = exports
        self.control = control
        let profile = setup.profile
        let host = if case .url(let url) = profile.target.endpoint { url.host } else { "embedded" }
        let identity = RunIdentity(
            runID: setup.directory.name, profile: profile.name, profileDigest: profile.digest, version: Stentor.version,
            dialect: profile.target.dialect.rawValue, targetHost: host, startedAtSeconds: setup.startedAt)
        record = RunRecord(
            identity: identity, seed: profile.seed, host: .current(),
            labels: (profile.push?.labels ?? []).map { RunRecord.Label(name: $0.name, value: $0.value) }
                + setup.labels.map { RunRecord.Label(name: $0.name, value: $0.value) },
            plannedSeconds: profile.load.totalDuration.inSeconds)
    }

    func carryOut() async throws -> ExitCode {
        try setup.directory.write(record)
        let log = try makeLog()
        let signals = try SignalSource(loop: control, signals: Stentor.endingSignals) { [unowned self] in signalReceived($0) }
        defer { signals.close() }
        let plan = try await makePlan()
        let progress = RunProgress(console, profile: setup.profile, schedule: plan.schedule, isShown: arguments.showsProgress)
        self.progress = progress
        try exports.start(record.identity, console)
        let fleet = FleetRun(plan: plan, control: control, identity: record.identity)
        self.fleet = fleet
        connectDrills(fleet, log)
        if interruption != nil { fleet.stop() }
        let outcome = try await fleet.run { snapshot, outages in secondPassed(snapshot, outages) }
        progress.end()
        var totals: [String?] = []
        if let gateway { totals = await gateway.stop() }
        return await conclude(outcome, totals, log)
    }

    // MARK: - Before

    private func makeLog() throws(UserFailure) -> RunLog {
        let drills = Set(setup.profile.drills.map(\.name))
        let log = try RunLog(setup.directory, runID: record.identity.runID, drills: drills, control: control) { [unowned self] in
            if let progress { progress.say($0) } else { console.report("stentor: \($0)\n") }
        }
        log.note(.start(runID: record.identity.runID, profile: record.identity.profile))
        for warning in setup.warnings { console.report("stentor: warning: \(warning)\n") }
        self.log = log
        return log
    }

    private func connectDrills(_ fleet: FleetRun, _ log: RunLog) {
        fleet.restartEmbedded = { [unowned self] restart, done in
            guard let gateway else { return done("there is no embedded gateway") }
            let box = LoopBox(gateway)
            let answer = LoopBox(done)
            Task(executorPreference: control) {
                let failure = await box.value.restart(restart)
                answer.value(failure)
            }
        }
        fleet.drillEnded = { [unowned self] record in
            log.note(.drillEnded(name: record.name, result: record.result, output: record.output))
            progress?.say("drill '\(record.name)': \(record.result)")
        }
    }

    private func makePlan() async throws -> FleetPlan {
        let url: TargetURL
        var tokens = setup.tokens
        switch setup.profile.target.endpoint {
        case .url(let target): url = target
        case .embedded:
            let token = Secret(control.secureRandom.bytes(16).map { Quantity.hex($0) }.joined())
            let started = try await EmbeddedGateway.start(
                setup.profile.target.gateway, dialect: setup.profile.target.dialect.rawValue, token: token, on: control)
            (gateway, url) = (started.gateway, started.url)
            tokens = .shared(token)
        }
        return try FleetPlan(profile: setup.profile, url: url, tokens: tokens, loopCount: Self.loopCount(hasGateway: gateway != nil))
    }

    /// One loop for each core; the embedded gateway has a core of its own, where there is more than one.
    private static func loopCount(hasGateway: Bool) -> Int {
        let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        return max(1, hasGateway ? cores - 1 : cores)
    }

    // MARK: - While it runs

    private func signalReceived(_ signal: Int32) {
        if isOver {
            exports.scrape?.giveUp()
            return
        }
        guard interruption == nil else {
            gateway?.kill()
            progress?.end()
            console.report("stentor: stopped at once; the report is incomplete\n")
            _exit(signal == SIGINT ? ExitCode.interrupted.rawValue : ExitCode.terminated.rawValue)
        }
        interruption = signal == SIGINT ? .interrupt : signal == SIGHUP ? .hangUp : .terminate
        log?.note(.signal([SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"][signal] ?? "signal \(signal)"))
        progress?.say("stopping: what was begun may end within \(Quantity.text(Self.signalGrace)); a second signal stops at once")
        fleet?.stop(.stopped, grace: Self.signalGrace)
    }

    private func secondPassed(_ snapshot: RunSnapshot, _ outages: [Outage]) {
        second += 1
        var snapshot = snapshot
        processes.look(at: &snapshot, gateway: gateway?.processID)
        if let rule = ProcessWatch.abortingGate(setup.profile.gates, snapshot) { fleet?.stop(.gateFailed(rule.text)) }
        snapshot.gates = setup.profile.gates.map { $0.gate.evaluate(snapshot) }
        snapshot.outages = outages
        progress?.show(snapshot, outages: outages)
        exports.offer(snapshot, second: second)
        log?.secondPassed(snapshot, outages)
        guard second == 1 || second % Self.checkpointSeconds == 0 else { return }
        log?.write(checkpoint: RunReport(run: record, snapshot: snapshot, outages: outages, push: exports.push?.record))
    }

    private static func failure(of work: () throws(UserFailure) -> Void) -> UserFailure? {
        do throws(UserFailure) {
            try work()
            return nil
        } catch {
            return error
        }
    }

    // MARK: - After

    private func conclude(_ outcome: FleetOutcome, _ totals: [String?], _ log: RunLog) async -> ExitCode {
        record.endedAtSeconds = Double(WallClock.nanosecondsSinceEpoch()) / 1e9
        var report = RunReport(run: record, snapshot: outcome.snapshot, outages: outcome.outages, directoryPath: setup.directory.path)
        report.snapshot.finishedAtSeconds = record.endedAtSeconds
        processes.complete(&report.snapshot)
        report.snapshot.outages = outcome.outages
        report.snapshot.gates = setup.profile.gates.map { $0.gate.evaluate(report.snapshot) }
        log.secondPassed(report.snapshot, report.outages)
        await log.settle()
        report.warnings = setup.warnings + log.warnings + outcome.warnings + endWarnings(outcome.end) + targetWarnings(outcome.snapshot)
        reconcile(totals, &report)
        var verdict = VerdictRule.judge(
            report.snapshot, gates: report.snapshot.gates, interruption: interruption, generatorLimits: outcome.generatorLimits)
        report.conclude(verdict)
        if let failure = await exports.finish(&report, on: control) {
            verdict = verdict.withoutReport(failure)
            report.conclude(verdict)
        }
        let incomplete = await finishLog(report, log)
        report.offenders = log.offenderTally
        if let incomplete {
            verdict = verdict.withoutReport(incomplete)
            report.conclude(verdict)
        }
        let unwritten = await writeReport(report)
        if let unwritten {
            verdict = verdict.withoutReport(unwritten)
            report.conclude(verdict)
        }
        if let failure = unwritten ?? incomplete {
            console.report(failure.rendered)
            // The numbers must not be lost with the disk.
            console.report(ConsoleSummary.text(report, width: console.errorTraits.columns))
        }
        await recordInHistory(report)
        let isPrinted = printResult(report)
        await awaitLastScrape()
        return isPrinted ? verdict.exitCode : .failure
    }

    /// Lets scrapers fetch the end of the run, which is told already; a signal ends the wait.
    private func awaitLastScrape() async {
        guard let scrape = exports.scrape else { return }
        isOver = true
        if let missed = await scrape.awaitLastScrape() { console.report("stentor: \(missed)\n") }
    }

    /// Ends the files that grew, before the report that shows them.
    ///
    /// - Returns: The first of them that is not complete; nil when all are.
    private func finishLog(_ report: RunReport, _ log: RunLog) async -> UserFailure? {
        for warning in report.warnings where !log.warnings.contains(warning) { log.note(.warning(warning)) }
        log.note(.end(report.snapshot.verdict, report.exitCode))
        return await log.finish().first
    }

    /// Writes the files that are written at the end.
    ///
    /// - Returns: The first failure; what follows it is attempted all the same.
    private func writeReport(_ report: RunReport) async -> UserFailure? {
        let (directory, run) = (setup.directory, record)
        return await control.offload {
            let results = [
                Self.failure(of: { () throws(UserFailure) in try directory.write(run) }),
                Self.failure(of: { () throws(UserFailure) in try directory.write(report) }),
                Self.failure(of: { () throws(UserFailure) in try directory.writeDocuments() }),
            ]
            return results.compactMap(\.self).first
        }
    }

    /// A history that cannot be written costs a warning, not the verdict.
    private func recordInHistory(_ report: RunReport) async {
        let (recording, path) = (arguments.recording, setup.directory.path)
        let warning = await control.offload {
            recording.warning { (history) throws(UserFailure) in try history.record(report, directory: path) }
        }
        if let warning { console.report(warning) }
    }

    private func endWarnings(_ end: RunEnd) -> [String] {
        switch end {
        case .completed, .stopped, .unreachable: []
        case .gateFailed(let gate): ["ended early: the gate '\(gate)' failed and aborts the run"]
        }
    }

    private func targetWarnings(_ snapshot: RunSnapshot) -> [String] {
        var warnings: [String] = []
        let target = setup.profile.target
        if target.tls.isInsecure { warnings.append("the server's certificate was not verified (target.tls.insecure)") }
        let refused = snapshot.labels(.dialFailures).contains { $0.label == DialCause.refusedByServer.rawValue }
        if refused, gateway == nil, case .none = target.token {
            warnings.append("the server refused devices, and the profile has no target.token")
        }
        return warnings
    }

    private func reconcile(_ totals: [String?], _ report: inout RunReport) {
        guard gateway != nil else { return }
        let lines = totals.compactMap { $0 }
        guard lines.count == totals.count else {
            report.warnings.append(
                totals.count == 1
                    ? "the embedded gateway gave no totals: counts could not be compared with its own"
                    : "the embedded gateway was killed or gave no totals: what it had counted is lost, so counts were not compared")
            return
        }
        do throws(TargetTotals.Failure) {
            let theirs = try TargetTotals(lives: lines)
            report.targetTotals = theirs
            report.reconciliation = try Reconciliation.rows(ours: report.snapshot, theirs: theirs)
        } catch {
            report.warnings.append(error.description)
        }
    }

    private func printResult(_ report: RunReport) -> Bool {
        if arguments.printsJSON { return console.writeResult(String(decoding: SummaryDocument.bytes(report), as: UTF8.self)) }
        let traits = console.outputTraits
        return console.writeResult(ConsoleSummary.text(report, width: traits.columns, useColor: traits.hasColours))
    }
}
