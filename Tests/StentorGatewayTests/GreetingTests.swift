import StentorBase
import Testing

@testable import StentorGateway

struct GreetingTests {
    private static func token(_ text: String) -> GatewayOptions {
        var options = GatewayOptions()
        options.token = Secret(text)
        return options
    }

    @Test func `hello is answered with ready and nothing else`() {
        let bench = GatewayBench(Self.token("t"))
        let socket = bench.connect()
        #expect(bench.sent[socket] == [#"{"t":"ready"}"#])
        #expect(bench.violations.isEmpty && bench.deeds[socket] == [])
    }

    @Test func `ready carries the avatar and extra frames follow`() throws {
        let bench = try GatewayBench(["avatar-url": "http://a/b", "extra-frames": "true", "escape-slashes": "true"])
        let socket = bench.connect()
        #expect(
            bench.sent[socket] == [
                #"{"t":"ready","avatar_url":"http:\/\/a\/b"}"#, #"{"t":"catalog","items":[{"id":"a"}]}"#,
                #"{"t":"models","items":[{"id":"a"}]}"#,
            ])
        #expect(bench.total("on_purpose", "unknown") == 2)
    }

    /// Frames sent on a new socket → error code, close code, violations. The token is `t`, in the query too.
    @Test(
        arguments: [
            (#"{"t":"text","id":"x","text":"early"}"#, nil, 1008, ["hello_not_first"]),
            (#"{"t":"hello","v":1,"device":DEV,"user":{}}"#, "auth_failed", 1008, ["field_missing", "hello_token_missing"]),
            (#"{"t":"hello","v":1,"token":"","device":DEV,"user":{}}"#, "auth_failed", 1008, ["hello_token_missing"]),
            (#"{"t":"hello","v":1,"token":"no","device":DEV,"user":{}}"#, "auth_failed", 1008, ["token_mismatch"]),
            (#"{"t":"hello","v":2,"token":"t","device":DEV,"user":{}}"#, "unsupported_version", 1008, ["unsupported_version"]),
            (
                #"{"t":"hello","v":"1","token":"t","device":DEV,"user":{}}"#, "unsupported_version", 1008,
                ["field_type", "unsupported_version"]
            ),
            (
                #"{"t":"hello","v":true,"token":"t","device":DEV,"user":{}}"#, "unsupported_version", 1008,
                ["field_type", "unsupported_version"]
            ),
            (
                #"{"t":"hello","v":1,"token":"t","device":{"name":"n","platform":"p","app_version":"1"},"user":{}}"#, "hello_without_id",
                1008,
                ["field_missing", "hello_without_id"]
            ),
            (
                #"{"t":"hello","v":1,"token":"t","device":{"id":" ","name":"n","platform":"p","app_version":"1"},"user":{}}"#,
                "hello_without_id", 1008, ["hello_without_id"]
            ),
            (#"{"t":"hello","v":1,"token":"t","device":DEV}"#, nil, nil, ["field_missing"]),
            (#"{"t":"hello","v":1,"token":"t","device":DEV,"user":{},"extra":1}"#, nil, nil, ["field_extra"]),
            (#"{"t":"hello","v":1,"token":"t","device":DEV,"user":{},"text":"x"}"#, nil, nil, ["field_extra"]),
        ] as [(String, String?, Int?, [String])])
    func `a wrong hello is judged as what it is`(frame: String, error: String?, close: Int?, kinds: [String]) {
        let bench = GatewayBench(Self.token("t"))
        let socket = bench.open()
        bench.send(socket, frame.replacing("DEV", with: #"{"id":"dev","name":"n","platform":"p","app_version":"1"}"#))
        #expect(bench.frames(socket, "error").first?["code"] as? String == error)
        #expect(bench.frames(socket, "error").first?["fatal"] as? Bool == error.map { _ in true })
        #expect(bench.deeds[socket] == close.map { [.close(UInt16($0))] } ?? [])
        #expect(bench.frames(socket, "ready").count == (close == nil ? 1 : 0))
        #expect(bench.violations == kinds)
    }

    @Test func `the query must carry the token once`() {
        let bench = GatewayBench(Self.token("t"))
        for tokens in [[], ["x"], ["t", "t"]] {
            bench.send(bench.open(tokens: tokens), bench.hello())
        }
        #expect(
            bench.violations == [
                "query_token_missing", "query_token_repeated", "reconnect_after_1008", "reconnect_after_1008", "token_mismatch",
            ])
        #expect(bench.total("refused", "auth_failed") == 2)
    }

    @Test func `a report never holds a token`() {
        let bench = GatewayBench(Self.token("hush-hush"), token: "hush-hush")
        for frame in [bench.hello().replacing("hush-hush", with: "hush-nope"), bench.hello() + "}", bench.hello()] {
            bench.send(bench.open(tokens: ["hush-other"]), frame)
        }
        #expect(!bench.reports.isEmpty && !bench.reports.joined().contains("hush"))
    }

    @Test func `a bound token serves its own id only`() {
        var options = GatewayOptions()
        options.bind = [BoundToken(id: "phone-1", token: Secret("t"))]
        let bench = GatewayBench(options)
        #expect(bench.frames(bench.connect("phone-1"), "ready").count == 1)
        let other = bench.connect("phone-2")
        #expect(bench.frames(other, "error").first?["code"] as? String == "auth_failed" && bench.deeds[other] == [.close(1008)])
    }

    @Test func `the upgrade is judged by path, query and token`() {
        var options = Self.token("t")
        options.refuse = .http403
        options.expectQuery = [QueryItem(key: "tenant", value: "a b")]
        let bench = GatewayBench(options)
        let items = { QueryString.items(of: "/ws?" + $0) }
        #expect(bench.core.judgeUpgrade(path: "/other", query: items("token=t")) == .refuse(status: 404))
        #expect(bench.core.judgeUpgrade(path: "/ws", query: items("token=t&tenant=a%20b")) == .accept(tokens: ["t"]))
        #expect(bench.core.judgeUpgrade(path: "/ws", query: items("tenant=a+b&token=t%2B")) == .refuse(status: 403))
        #expect(bench.core.judgeUpgrade(path: "/ws", query: items("")) == .refuse(status: 403))
        #expect(bench.total("refused", "http_403") == 2 && bench.violations == ["query_item_lost"])
    }

    @Test(arguments: [
        ("/ws", []), ("/ws?", []), ("/ws?token=t%2Bo%2Fk%20en&a", ["token=t+o/k en", "a="]),
        ("/ws?a=1=2&&b=%zz+%4", ["a=1=2", "b=%zz %4"]),
    ])
    func `a query is decoded as forms are`(target: String, items: [String]) {
        #expect(QueryString.items(of: target).map { "\($0.key)=\($0.value)" } == items)
    }

    @Test func `no hello in time closes with 1008`() throws {
        let bench = try GatewayBench(["hello-timeout": "2s"])
        let socket = bench.open()
        bench.advance(.milliseconds(1999))
        #expect(bench.deeds[socket] == [])
        bench.advance(.milliseconds(1))
        #expect(bench.deeds[socket] == [.close(1008)] && bench.violations == ["hello_late"])
    }

    @Test func `frames before a delayed ready are refused, a text after it is answered`() throws {
        let bench = try GatewayBench(["ready-delay": "200ms", "edits": "0"])
        let socket = bench.connect()
        bench.say(socket, "too early")
        bench.advance(.milliseconds(200))
        bench.say(socket, "now")
        #expect(bench.frames(socket, "ready").count == 1 && bench.texts(socket) == ["now"])
        #expect(bench.violations == ["before_ready"])
    }

    @Test func `a second hello repeats ready, and must name the same device`() {
        let bench = GatewayBench()
        let socket = bench.connect()
        bench.send(socket, bench.hello())
        bench.send(socket, bench.hello("other"))
        #expect(bench.frames(socket, "ready").count == 3 && bench.violations == ["hello_device_changed"] && bench.total("hellos") == 3)
    }

    @Test func `a second socket closes the first, or shares with it`() throws {
        let bench = GatewayBench()
        let (old, new) = (bench.connect(), bench.connect())
        #expect(bench.deeds[old] == [.close(4001)] && bench.deeds[new] == [])
        bench.cut(old)
        #expect(bench.total("closes", "by_gateway", "4001") == 1 && bench.total("peak") == 1)

        let both = try GatewayBench(["second-socket": "fanout", "edits": "0"])
        let (first, second) = (both.connect(), both.connect())
        both.say(second, "both")
        #expect(both.texts(first) == ["both"] && both.texts(second) == ["both"] && both.total("replies", "sent") == 1)
        // While one is left the device is not away, so there is no gap to tell.
        both.cut(first)
        _ = both.connect()
        #expect(both.total("reconnect_gap_s", "count") == 0 && both.total("peak") == 2)
    }

    @Test func `more devices than allowed are closed with 1013, a known one is not`() throws {
        let bench = try GatewayBench(["max-devices": "1"])
        let first = bench.connect("a")
        let second = bench.connect("b")
        #expect(bench.deeds[second] == [.close(1013)] && bench.frames(second, "error").first?["fatal"] as? Bool == false)
        let again = bench.connect("a")
        #expect(bench.deeds[again] == [] && bench.deeds[first] == [.close(4001)])
        #expect(bench.total("refused", "capacity") == 1)
    }

    @Test func `everyone is refused on demand`() throws {
        let bench = try GatewayBench(["refuse-all": "true"])
        let socket = bench.connect()
        #expect(bench.deeds[socket] == [.close(1008)] && bench.violations.isEmpty)
    }
}
