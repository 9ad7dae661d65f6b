import TestSupport
import Testing

/// Photos from an independent gateway, sound and spoiled, and photos to it.
@Suite(.slots(1), .requiresPeer("gateways"))
struct PhotoFaultTests {
    private static let options = ["--devices", "4", "--set", "behaviour.text.every=1s", "--set", "gates=[messages.lost == 0]"]

    private func run(_ fault: String, _ more: [String] = []) async throws -> JudgedRun {
        let judged = try await JudgedRun.run(
            gateway: ["--send-photo-every", "1", "--photo-bytes", "100KiB..300KiB", "--photo-fault", fault] + more, Self.options)
        judged.run.expectPass()
        try judged.run.expectClosedAccounts()
        #expect(judged.totals["violations"] == .object([:]), "\(judged.complaints)")
        #expect(try judged.run.count("downloads.started") > 4)
        try judged.expectUnaskedArrived()
        return judged
    }

    @Test(arguments: ["none", "shuffle", "duplicate"])
    func `photos whose parts come in any order, or twice, are verified`(fault: String) async throws {
        let judged = try await run(fault)
        try judged.expectAgreement()
        let failures = judged.run.summary["by_label", "download_failures"].members.values.reduce(0) { $0 + ($1.count ?? 0) }
        #expect(try failures == judged.run.photosCutByLeaving())
    }

    @Test(arguments: [("bad_base64", "bad_base64"), ("out_of_range", "part_out_of_range"), ("parts_changed", "parts_changed")])
    func `spoiled photos are corrupt, by the reason`(fault: String, reason: String) async throws {
        let judged = try await run(fault)
        let sent = try judged.run.count("downloads.started") - judged.run.photosCutByLeaving()
        #expect(try sent > 0 && judged.run.count("downloads.corrupt") == sent && judged.run.count("downloads.verified") == 0)
        #expect(judged.run.labelled("download_failures", reason) == sent, "\(judged.run.summary["by_label", "download_failures"])")
    }

    @Test func `photos that never become whole are incomplete`() async throws {
        let judged = try await run("missing")
        let sent = try judged.run.count("downloads.started")
        #expect(try judged.run.count("downloads.incomplete") == sent && judged.run.count("downloads.complete") == 0)
        let reasons = judged.run.labelled("download_failures", "timeout") + judged.run.labelled("download_failures", "connection_lost")
        #expect(reasons == sent, "\(judged.run.summary["by_label", "download_failures"])")
    }

    @Test func `photos that come as an address are noted`() async throws {
        let judged = try await run("none", ["--photo-by", "url"])
        let sent = try judged.run.count("downloads.started")
        #expect(try judged.run.count("downloads.by_url") == sent && judged.run.count("downloads.complete") == 0)
        #expect(try judged.run.count("downloads.verified") == 0 && judged.run.count("downloads.bytes") == 0)
    }

    @Test func `photos of many parts arrive whole, byte for byte`() async throws {
        let judged = try await JudgedRun.run(
            gateway: [],
            Self.options + [
                "--set", "behaviour.photo={every: 1s, size: 1B..7MiB, reply_within: 10s}",
            ])
        judged.run.expectPass()
        try judged.run.expectClosedAccounts()
        try judged.expectAgreement()
        #expect(try judged.run.count("uploads.confirmed") > 6 && judged.run.count("uploads.bytes") > 6 << 20)
    }

    @Test func `photos over the gateway's limit are refused, and lost to the device`() async throws {
        let judged = try await JudgedRun.run(
            gateway: ["--file-limit", "1MiB"],
            Self.options + ["--set", "behaviour.photo={every: 1s, size: 1500KiB..2MiB, reply_within: 2s}"])
        judged.run.expectPass()
        try judged.run.expectClosedAccounts()
        let refused = try judged.theirs("uploads", "corrupt", "too_large")
        #expect(try refused > 0 && refused == judged.run.count("uploads.sent"))
        #expect(try judged.run.count("uploads.lost") + judged.run.count("uploads.corrupt") == refused)
        #expect(judged.run.labelled("server_error_codes", "media_too_large") == refused)
        #expect(judged.totals["violations"] == .object([:]), "\(judged.complaints)")
    }
}
