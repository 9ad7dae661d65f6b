import StentorBase
import StentorGateway
import Testing

@testable import StentorCommand

@Suite struct `The flags of the gateway` {
    private static let table = CommandTable.standard(version: "0", dialects: ["hermes"], gatewayOptions: GatewayFlags.specs)

    /// The options that a command line of `serve` gives.
    private static func options(_ arguments: String...) throws -> GatewayOptions {
        guard case .command(.serve(let serve)) = table.read(["serve"] + arguments) else {
            Issue.record("not understood: \(arguments)")
            return GatewayOptions()
        }
        var options = GatewayOptions()
        try GatewayFlags.apply(serve.gatewayOptions, of: .hermes, to: &options)
        return options
    }

    private static func faults(_ given: [(String, String?)]) -> [String] {
        var options = GatewayOptions()
        do throws(UserFailures) {
            try GatewayFlags.apply(given.map { CommandArguments.Given(name: $0.0, value: $0.1) }, of: .hermes, to: &options)
            return []
        } catch { return error.all.map { "\($0.cause) \($0.place): \($0.message)" } }
    }

    @Test func `are all options but the command's own, each name once`() {
        var expected = Set(GatewayOption.all.map(\.name))
        expected.remove("listen")
        for option in GatewayOption.all { if case .flag = option.kind { expected.insert("no-\(option.name)") } }
        let names = GatewayFlags.specs.map { String($0.name.dropFirst(2)) }
        #expect(Set(names) == expected)
        #expect(Set(names).count == names.count)
        #expect(GatewayFlags.specs.allSatisfy { $0.name.hasPrefix("--") && $0.help.hasSuffix(".") })
    }

    @Test func `take a value where the option does, and may stand twice where it adds up`() throws {
        for option in GatewayOption.all where option.name != "listen" {
            let spec = try #require(GatewayFlags.specs.first { $0.name == "--\(option.name)" })
            switch option.kind {
            case .flag(let isOn):
                let opposite = try #require(GatewayFlags.specs.first { $0.name == "--no-\(option.name)" })
                #expect(spec.shape == nil && opposite.shape == nil)
                #expect(spec.help.contains("default") == isOn && opposite.help.contains("default") == !isOn)
            case .value(let placeholder):
                #expect(spec.shape == .text && spec.placeholder == placeholder && !spec.isRepeatable)
            case .repeated: #expect(spec.shape == .text && spec.isRepeatable)
            }
        }
    }

    @Test(
        arguments: [
            ("refuse-all", \.refuseAll), ("extra-frames", \.extraFrames), ("stream", \.stream), ("final", \.final), ("binary", \.binary),
            ("escape-slashes", \.escapeSlashes), ("text-answers-clarify", \.textAnswersClarify), ("upload-resume", \.uploadResume),
        ] as [(String, any KeyPath<GatewayOptions, Bool> & Sendable)])
    func `switch on and off`(name: String, field: any KeyPath<GatewayOptions, Bool> & Sendable) throws {
        #expect(try Self.options("--\(name)")[keyPath: field])
        #expect(try !Self.options("--no-\(name)")[keyPath: field])
    }

    @Test func `set what they name`() throws {
        let options = try Self.options(
            "--reply-delay", "20ms..80ms", "--lose-rate=25%", "--edits", "7", "--refuse=403", "--photo-bytes", "1KiB..2KiB",
            "--restart-after=3s", "--restart-how", "silence", "--drop-after", "1s", "--close-code", "4001", "--prompt-kinds",
            "clarify,slash_confirm", "--seed", "9", "--token", "abc", "--tls-key=k.pem")
        #expect(options.replyDelay == .milliseconds(20)...(.milliseconds(80)))
        #expect(options.loseRate == 0.25 && options.edits == 7 && options.seed == 9)
        #expect(options.refuse == .http403 && options.restartHow == .silence && options.promptKinds == [.clarify, .slashConfirm])
        #expect(options.photoBytes == 1024...2048)
        #expect(options.restartAfter == .seconds(3) && options.dropAfter == .seconds(1)...(.seconds(1)) && options.closeCode == 4001)
        #expect(options.token == Secret("abc") && options.tlsKey == "k.pem")
    }

    @Test func `add up where they may stand twice`() throws {
        let options = try Self.options("--bind", "a=1", "--bind=b=2=3", "--expect-query", "k=v")
        #expect(options.bind == [BoundToken(id: "a", token: Secret("1")), BoundToken(id: "b", token: Secret("2=3"))])
        #expect(options.expectQuery == [QueryItem(key: "k", value: "v")])
    }

    @Test func `leave alone what they do not name`() throws {
        let options = try Self.options("--binary")
        #expect(options.stream && options.editGap == .milliseconds(100) && options.token == nil && options.promptResend == .card)
    }

    @Test func `tell all faults at once, in order, each at its flag, and no token`() {
        let faults = Self.faults([
            ("--edits", "many"), ("--binary", nil), ("--bind", "s3cret"), ("--lose-rate", "2"), ("--token", ""), ("--refuse", "1009"),
        ])
        #expect(
            faults == [
                "arguments --edits: 'many' is not a whole number in 0...1000", "arguments --bind: the value is not ID=TOKEN",
                "arguments --lose-rate: '2' is not a share such as 1% or 0.01", "arguments --token: the token is empty",
                "arguments --refuse: '1009' is not one of 1008, 401, 403",
            ])
    }
}
