import Foundation
import TestSupport
import Testing

/// A run and what an independent gateway saw of it.
struct JudgedRun {
    let run: StentorRun
    /// The gateway's totals.
    let totals: Facts
    /// What the gateway printed on stderr: a line per violation.
    let complaints: String

    /// Runs a profile against a judge's gateway.
    ///
    /// - Parameters:
    ///   - profile: A fixture, or an absolute path.
    ///   - script: The gateway; by default `hermes_gateway.py`, with the token that runs have.
    ///   - gateway: Options of the gateway.
    ///   - options: Options of `stentor run`.
    static func run(
        _ profile: String = StentorRun.fixture("profiles/short.yaml"), script: String? = nil, gateway: [String] = [],
        _ options: [String] = [],
        within limit: Duration = .seconds(120)
    ) async throws -> JudgedRun {
        try await StentorRun.undisturbed(\.run) {
            let token = script == nil ? ["--token", StentorRun.token] : []
            let judge = try await PythonPeers.gateway(script ?? "hermes_gateway.py", token + ["--life", "240"] + gateway)
            let run = try await StentorRun.start(profile, ["--target", judge.url] + options).finish(within: limit)
            let totals = try Facts(try await judge.stop())
            return JudgedRun(run: run, totals: totals, complaints: judge.process.text(on: .errors))
        }
    }

    /// A number of the gateway's totals.
    func theirs(_ path: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> Int {
        let value = path.reduce(totals) { $0[$1] }
        return try #require(value.count, "no count \(path) in the totals", sourceLocation: sourceLocation)
    }

    /// Photos and prompts that the gateway sent are those that began to arrive.
    func expectUnaskedArrived(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let photos = try theirs("photos", "sent") - run.count("downloads.started")
        let prompts = try theirs("prompts", "sent") - run.count("prompts.received")
        #expect(
            try run.underWay().contains(photos) && run.underWay().contains(prompts), "\(photos), \(prompts)", sourceLocation: sourceLocation
        )
        guard photos == 0, try run.count("downloads.verified") == theirs("photos", "sent") else { return }
        #expect(try run.count("downloads.bytes") == theirs("photos", "bytes"), sourceLocation: sourceLocation)
    }

    /// Both ends counted the same, field by field, and the gateway has nothing to complain about.
    ///
    /// - Parameter exceptions: What is allowed to differ; the test looks at it itself.
    func expectAgreement(except exceptions: Set<String> = [], sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(totals["violations"] == .object([:]), "\(complaints)", sourceLocation: sourceLocation)
        let pairs: [(String, Int, Int)] = [
            ("texts", try run.count("messages.sent"), try theirs("texts")),
            (
                "texts replied", try run.count("messages.answered") + run.count("messages.late"),
                try theirs("replies", "sent") - theirs("replies", "duplicated")
            ),
            ("texts lost", try run.count("messages.lost"), try theirs("replies", "lost") + theirs("replies", "unsent")),
            ("duplicated", try run.count("messages.duplicated"), try theirs("replies", "duplicated")),
            ("reordered", try run.count("messages.reordered"), try theirs("replies", "reordered")),
            ("uploads begun", try run.count("uploads.sent"), try theirs("uploads", "begun")),
            ("uploads complete", try run.count("uploads.confirmed") + run.count("uploads.late"), try theirs("uploads", "complete")),
            ("uploads confirmed", try run.count("uploads.confirmed") + run.count("uploads.late"), try theirs("uploads", "confirmed")),
            ("upload bytes", try run.count("uploads.bytes"), try theirs("uploads", "bytes")),
            ("photos", try run.count("downloads.verified") + run.photosCutByLeaving(), try run.count("downloads.started")),
            (
                "prompts answered", try run.count("prompts.answered") + run.count("prompts.substituted"),
                try theirs("prompts", "answered")
            ),
            ("prompts expired", try run.count("prompts.expired"), try theirs("prompts", "expired")),
            ("prompts substituted", try run.count("prompts.substituted"), try theirs("prompts", "substituted")),
            ("hellos", try run.count("ready"), try theirs("hellos")),
            ("connections", try run.count("connects"), try theirs("connections")),
            ("devices", try run.count("ready") - run.count("reconnects"), try theirs("devices")),
        ]
        for (name, ours, judged) in pairs where !exceptions.contains(name) {
            #expect(ours == judged, "\(name)", sourceLocation: sourceLocation)
        }
        try expectUnaskedArrived(sourceLocation: sourceLocation)
    }
}

extension StentorRun {
    /// Every sum that the metrics promise holds, nothing is open, and no more is warned of than is said here.
    func expectClosedAccounts(warnings: [String] = [], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let sums: [(String, [String])] = [
            ("messages.sent", ["messages.answered", "messages.late", "messages.lost", "messages.in_doubt"]),
            (
                "deliveries.expected",
                ["deliveries.delivered", "deliveries.late", "deliveries.lost", "deliveries.away", "deliveries.in_doubt"]
            ),
            ("uploads.sent", ["uploads.confirmed", "uploads.late", "uploads.corrupt", "uploads.lost", "uploads.in_doubt"]),
            (
                "downloads.started",
                ["downloads.complete", "downloads.corrupt", "downloads.incomplete", "downloads.by_url", "downloads.open"]
            ),
            (
                "prompts.received",
                ["prompts.answered", "prompts.substituted", "prompts.expired", "prompts.superseded", "prompts.open"]
            ),
            ("media.corrupt", ["uploads.corrupt", "downloads.corrupt"]),
            ("ready", ["disconnects"]),
        ]
        for (whole, parts) in sums {
            let sum = try parts.reduce(0) { try $0 + count($1) }
            #expect(try count(whole) == sum, "\(whole) = \(parts)", sourceLocation: sourceLocation)
        }
        let losses = summary["by_label", "connection_losses"].members.values.reduce(0) { $0 + ($1.count ?? 0) }
        #expect(try count("disconnects") == losses, "each loss has a cause", sourceLocation: sourceLocation)
        for level in ["messages.in_doubt", "deliveries.in_doubt", "uploads.in_doubt", "downloads.open", "messages.unmatched"] {
            #expect(try count(level) == 0, "\(level)", sourceLocation: sourceLocation)
        }
        #expect(summary["warnings"] == .list(warnings.map { .text($0) }), sourceLocation: sourceLocation)
    }

    /// On a busy machine a photo may begin to arrive behind the close frame of its device, and goes with the connection.
    func photosCutByLeaving() throws -> Int {
        let cut = labelled("download_failures", "connection_lost")
        return try wasMachineBusy && underWay().contains(cut) ? cut : 0
    }

    /// Of what comes unasked, at most two may be under way in the instant in which their devices leave, and on a busy machine one for each that
    /// leaves; the gateway has counted those.
    func underWay() throws -> ClosedRange<Int> { 0...(wasMachineBusy ? max(2, try count("disconnects")) : 2) }

    /// The embedded gateway counted the same, up to what it sent in the instant in which a device left.
    func expectReconciled(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let rows = summary["reconciliation"].elements
        #expect(rows.count == 15, sourceLocation: sourceLocation)
        for row in rows where row["is_equal"] != .bool(true) {
            let isUnasked = ["photos received", "prompts received"].contains(row["name"].text)
            let difference = (row["theirs"].count ?? 0) - (row["ours"].count ?? 0)
            #expect(try isUnasked && underWay().contains(difference), "\(row)", sourceLocation: sourceLocation)
        }
    }

    /// Its summary has the form that is documented.
    func expectSchema(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: Never.self, sourceLocation: sourceLocation) {
            let faults = try SchemaValidator.summary().faults(in: Data(summaryText.utf8))
            #expect(faults == [], sourceLocation: sourceLocation)
        }
    }

    /// It passed, and says so everywhere; on a machine that starves every program it is invalid, for this reason alone.
    ///
    /// - Parameter timing: Gates on times, which a busy machine may fail.
    func expectPass(unlessBusy timing: [String] = [], sourceLocation: SourceLocation = #_sourceLocation) {
        let missed = summary["gates"].elements.filter { $0["verdict"].text != "pass" }.compactMap { $0["expression"].text }
        let isExcused = wasMachineBusy && !missed.isEmpty && missed.allSatisfy(timing.contains)
        expectEnd(isExcused ? 99 : 0, isExcused ? "fail" : "pass", sourceLocation: sourceLocation)
        #expect(missed.isEmpty || isExcused, "\(missed)", sourceLocation: sourceLocation)
        #expect(reasons.count == missed.count, "\(reasons)", sourceLocation: sourceLocation)
        #expect(complaints == "", sourceLocation: sourceLocation)
    }

    /// It ended in a way, and says so everywhere; on a machine that starves every program a verdict of gates is none, and the run is invalid.
    func expectEnd(_ code: Int32, _ verdict: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let (code, verdict) = [0, 99].contains(code) && isStarved ? (98, "invalid") : (code, verdict)
        expectSchema(sourceLocation: sourceLocation)
        #expect(outcome.exitCode == code, "\(outcome.errors)\(outcome.output)", sourceLocation: sourceLocation)
        #expect(lastLine == "verdict: \(verdict)", sourceLocation: sourceLocation)
        #expect(summary["verdict"].text == verdict && summary["exit_code"].count == Int(code), sourceLocation: sourceLocation)
    }
}
