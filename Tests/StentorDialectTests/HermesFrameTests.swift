import StentorDialect
import Testing

struct HermesFrameTests {
    @Test(arguments: [
        #"{"t":"ready"}"#, #"{"avatar_url":"https:\/\/x\/a.png","t":"ready","models":[1,{"a":null}]}"#, " {\"\\u0074\" : \"re\\u0061dy\"} ",
    ])
    func `ready is read`(text: String) {
        #expect(HermesDriver().receive(text) == [.ready])
        #expect(HermesDriver().stream(Array(text.utf8), piece: 3) == [.ready])
    }

    @Test(arguments: [
        "", "x", "[]", "\"t\"", "1", "{}", #"{"t":1}"#, #"{"t":null}"#, #"{"T":"ready"}"#, #"{"t":"ready""#, #"{"t":"ready"} x"#,
        #"{"t":"prompt","kind":"clarify"}"#, #"{"t":"prompt_done"}"#, #"{"t":"media","data":"AA=="}"#, #"{"t":"media","id":"x"}"#,
        #"{"t":"media","id":7,"data":"AA=="}"#, #"{"t":"media","id":"x","data":5}"#,
        #"{"t":"prompt","id":"\#(String(repeating: "x", count: 1025))"}"#, #"{"a":{"t":"ready"}}"#,
    ])
    func `what is no frame is counted as malformed`(text: String) {
        #expect(HermesDriver().receive(text) == [.malformedFrame])
        #expect(HermesDriver().stream(Array(text.utf8), piece: 4) == [.malformedFrame])
    }

    @Test(arguments: [#"{"t":"models","list":[]}"#, #"{"t":""}"#, #"{"t":"Message"}"#, #"{"t":"media_v2","data":"****"}"#])
    func `an unknown type is legal and counted`(text: String) {
        #expect(HermesDriver().receive(text) == [.unknownFrame])
        #expect(HermesDriver().stream(Array(text.utf8), piece: 4) == [.unknownFrame])
    }

    @Test func `a field of the wrong type counts as missing`() {
        let driver = HermesDriver()
        #expect(driver.receive(#"{"t":"message","id":5,"text":["x"],"edit":"true","final":1}"#) == [])
        #expect(driver.receive(#"{"t":"typing","stop":"yes"}"#) == [])
        #expect(driver.receive(#"{"t":"error","code":5,"message":{},"fatal":"true"}"#) == [.serverError(code: "error", isFatal: false)])
        #expect(
            driver.receive(#"{"t":"prompt_done","id":"p","option_id":1,"expired":"no"}"#) == [
                .promptClosed(id: "p", optionID: nil, isExpired: false)
            ])
        #expect(
            driver.receive(#"{"t":"prompt","id":"p","kind":null,"options":"none"}"#) == [
                .promptOpened(PromptCard(id: "p", kind: "", options: []))
            ])
    }

    @Test func `a card is read with its options`() {
        let card = #"""
            {"t":"prompt","id":"p1","kind":"exec_approval","text":"rm?","options":[{"id":"once","label":"Once"},
            {"id":"deny","label":"No","style":"danger"},{"label":"no id"},"x",{"style":"plain","id":"a\/b"}]}
            """#
        #expect(
            HermesDriver().receive(card) == [
                .promptOpened(
                    PromptCard(
                        id: "p1", kind: "exec_approval",
                        options: [.init(id: "once"), .init(id: "deny", isDangerous: true), .init(id: "a/b")]))
            ])
    }

    @Test func `the end of a card names the option that was applied, and whether it expired`() {
        #expect(
            HermesDriver().receive(#"{"expired":true,"option_id":"deny","id":"p1","t":"prompt_done"}"#) == [
                .promptClosed(id: "p1", optionID: "deny", isExpired: true)
            ])
    }

    @Test func `a failed authorisation is fatal whatever the flag says`() {
        #expect(HermesDriver().receive(#"{"t":"error","code":"auth_failed"}"#) == [.serverError(code: "auth_failed", isFatal: true)])
        #expect(HermesDriver().receive(#"{"t":"error","code":"x","fatal":true}"#) == [.serverError(code: "x", isFatal: true)])
        #expect(HermesDriver().receive(#"{"t":"error","code":"busy"}"#) == [.serverError(code: "busy", isFatal: false)])
    }

    @Test func `an error's code is cut to 64 characters`() {
        let facts = HermesDriver().receive(#"{"t":"error","code":"\#(String(repeating: "x", count: 500))"}"#)
        #expect(facts == [.serverError(code: String(repeating: "x", count: 64), isFatal: false)])
    }

    @Test func `close 1008 refuses the device for good, any other close does not`() {
        #expect(HermesDriver().lose(closeCode: 1008) == [.refusedForGood(code: "1008")])
        #expect(HermesDriver().lose(closeCode: 1001) == [])
        #expect(HermesDriver().lose(closeCode: nil) == [])
    }

    @Test func `a streamed message over the head limit is malformed, and the next one is read`() {
        let driver = HermesDriver { $0.headLimitBytes = 100 }
        let long = #"{"t":"message","text":"\#(String(repeating: "x", count: 200))"}"#
        #expect(driver.stream(Array(long.utf8), piece: 64) == [.malformedFrame])
        #expect(driver.stream(Array(#"{"t":"ready"}"#.utf8), piece: 64) == [.ready])
    }

    @Test func `a stream that breaks off with its connection says nothing`() {
        let driver = HermesDriver()
        #expect(driver.streamBegin(Array(#"{"t":"ready"}"#.utf8), piece: 64) == [])
        #expect(driver.lose() == [])
        driver.reconnect()
        #expect(driver.receive(#"{"t":"ready"}"#) == [.ready])
    }
}
