import StentorBase
import Testing

@testable import StentorGateway

struct GatewayOptionTests {
    @Test func `names and profile keys are unique`() {
        #expect(Set(GatewayOption.all.map(\.name)).count == GatewayOption.all.count)
        #expect(Set(GatewayOption.all.map(\.profileKey)).count == GatewayOption.all.count)
    }

    @Test func `an option is found by either spelling`() {
        #expect(GatewayOption.named("reply-delay")?.profileKey == "reply_delay")
        #expect(GatewayOption.named("reply_delay")?.name == "reply-delay")
        #expect(GatewayOption.named("reply") == nil)
    }

    @Test(arguments: [
        ("reply-delay", "20ms..80ms"), ("reply-delay", "1s"), ("ready-delay", "0s"), ("drop-after", "20s..2m"), ("hello-timeout", "2s"),
        ("lose-rate", "1%"), ("lose-rate", "0.01"), ("photo-bytes", "1KiB..3MiB"), ("file-limit", "12MiB"), ("refuse", "403"),
        ("moods", "avatar"), ("prompt-kinds", "clarify,exec_approval_few"), ("stream", "false"), ("stream", "yes"), ("edits", "0"),
        ("close-code", "4321"), ("bind", "phone-1=a=b"), ("expect-query", "tenant="), ("listen", "[::1]:0"),
        ("seed", "18446744073709551615"),
        ("while-away", "hold"), ("photo-fault", "bad_base64"), ("second-socket", "fanout"),
    ])
    func `a good value is taken`(name: String, value: String) throws {
        var options = GatewayOptions()
        try #require(GatewayOption.named(name)).apply(value, to: &options)
    }

    @Test(arguments: [
        ("reply-delay", "20", "'20' is not a duration or a range such as 20ms..80ms"),
        ("reply-delay", "2s..1s", "'2s..1s' is not a duration or a range such as 20ms..80ms"),
        ("prompt-expiry", "2", "'2' is not a duration such as 250ms, 20s or 1h30m"),
        ("prompt-every", "0s", "'0s' is not a duration such as 250ms, 20s or 1h30m, above zero"),
        ("lose-rate", "2", "'2' is not a share such as 1% or 0.01"),
        ("lose-rate", "nan", "'nan' is not a share such as 1% or 0.01"),
        ("file-limit", "0B", "'0B' is not a size such as 300B, 64KiB or 3MiB, above zero"),
        ("refuse", "404", "'404' is not one of 1008, 401, 403"),
        ("stream", "on", "'on' is not true or false"),
        ("edits", "-1", "'-1' is not a whole number in 0...1000"),
        ("close-code", "1006", "'1006' is not a close code that may be sent: 1000...1014 but 1004...1006, or 3000...4999"),
        ("listen", "8787", "'8787' is not an address such as 127.0.0.1:8787 or [::1]:0"),
        ("listen", "::1:0", "'::1:0' is not an address such as 127.0.0.1:8787 or [::1]:0"),
        ("prompt-kinds", "clarify,", "'clarify,' is not a list of exec_approval, exec_approval_few, slash_confirm, clarify, clarify_free"),
        ("bind", "secret", "the value is not ID=TOKEN"),
        ("bind", "=secret", "the value is not ID=TOKEN"),
        ("token", "", "the token is empty"),
    ])
    func `a bad value is refused by what was expected`(name: String, value: String, message: String) throws {
        var options = GatewayOptions()
        let option = try #require(GatewayOption.named(name))
        #expect(throws: UserFailure(.arguments, message, place: "--\(name)")) { try option.apply(value, to: &options) }
    }

    @Test func `values land in their fields`() throws {
        var options = GatewayOptions()
        for (name, value) in [
            ("listen", "127.0.0.1:8787"), ("reply-delay", "20ms..80ms"), ("no", ""), ("bind", "a=b=c"), ("bind", "d=e"),
            ("duplicate-rate", "5%"),
            ("drop-after", "3s"), ("tls-key", "k.pem"), ("photo-by", "url"), ("restart-how", "silence"), ("prompt-kinds", "clarify_free"),
        ] where name != "no" {
            try #require(GatewayOption.named(name)).apply(value, to: &options)
        }
        #expect(options.host == "127.0.0.1" && options.port == 8787)
        #expect(options.replyDelay == .milliseconds(20)...(.milliseconds(80)))
        #expect(options.bind == [BoundToken(id: "a", token: Secret("b=c")), BoundToken(id: "d", token: Secret("e"))])
        #expect(options.duplicateRate == 0.05 && options.dropAfter == .seconds(3)...(.seconds(3)))
        #expect(options.tlsKey == "k.pem" && options.photoBy == .url && options.restartHow == .silence)
        #expect(options.promptKinds == [.clarifyFree])
    }

    @Test func `options that need each other are asked for`() throws {
        var options = GatewayOptions()
        options.closeCode = 4000
        #expect(throws: UserFailure(.arguments, "needs --drop-after", place: "--close-code")) { try options.validate() }
        options = GatewayOptions()
        options.tlsKey = "k.pem"
        #expect(throws: UserFailure(.arguments, "needs --tls-certificate", place: "--tls-key")) { try options.validate() }
        options.tlsCertificate = "c.pem"
        try options.validate()
    }

    @Test func `printing options never shows a token`() {
        var options = GatewayOptions()
        options.token = Secret("hush-hush")
        options.bind = [BoundToken(id: "a", token: Secret("hush-hush"))]
        var dumped = ""
        dump(options, to: &dumped)
        #expect(!dumped.contains("hush") && !"\(options)".contains("hush"))
    }
}
