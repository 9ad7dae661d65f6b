import StentorDialect
import StentorWire
import Testing

private let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

private func message(_ text: String, final: Bool = true) -> String {
    #"{"t":"message","id":"c","text":"\#(text)","final":\#(final)}"#
}

private func confirmed(_ id: String, _ bytes: Int) -> [DeviceFact] {
    [.uploadConfirmed(id: id, bytes: bytes, digest: SHA256Digest(hex: hex))]
}

struct HermesUploadTests {
    @Test(arguments: ["", "\\na caption", " (thanks)", "\\n[#5]"])
    func `the gateway's word on an upload is a confirmation, not a reply`(rest: String) {
        let driver = HermesDriver()
        #expect(driver.receive(message("received u-1: 3145728 bytes, sha256 \(hex)\(rest)")) == confirmed("u-1", 3_145_728))
    }

    @Test func `a confirmation without final is reported at once and only once`() {
        let driver = HermesDriver()
        #expect(driver.receive(message("received u-1: 5 bytes, sha256 \(hex)", final: false)) == confirmed("u-1", 5))
        #expect(driver.receive(#"{"t":"avatar","state":"idle"}"#) == [])
        #expect(driver.pass(to: 99_999) == [])
        #expect(driver.receive(message(" a caption")) == [])
    }

    @Test func `a confirmation that comes in pieces is read when it is whole`() {
        let driver = HermesDriver()
        #expect(driver.receive(message("received u-1: 5 bytes, sha256 \(hex.prefix(20))", final: false)) == [])
        #expect(driver.receive(message(String(hex.dropFirst(20))), at: 1) == [edited(after: 1)] + confirmed("u-1", 5))
    }

    @Test(arguments: [
        "received u-1: 5 bytes, sha256 \(hex.dropLast())", "received u-1: 5 bytes, sha256 \(hex)0", "received : 5 bytes, sha256 \(hex)",
        "received u-1: x bytes, sha256 \(hex)", "Received u-1: 5 bytes, sha256 \(hex)", "received u-1", "\(hex)", "",
    ])
    func `any other text is a message without a marker`(text: String) {
        #expect(HermesDriver().receive(message(text)) == [.unmatchedReply])
    }

    @Test(arguments: [
        "Got your photo u-7 of 2 (5 bytes) with digest \(hex).", "u-7 \(hex) 5 bytes", "OK: id=u-7 size=5 sha256=\(hex)",
    ])
    func `other words confirm a pending upload by id, size and digest`(text: String) {
        let driver = HermesDriver()
        driver.beginUpload("u-7", bytes: 5)
        #expect(driver.receive(message(text)) == confirmed("u-7", 5))
        #expect(driver.receive(#"{"t":"message","id":"d","text":"\#(text)","final":true}"#) == [.unmatchedReply])
    }

    @Test func `an id that begins with another is not taken for it`() {
        let driver = HermesDriver()
        for id in ["u-1", "u-12", "u-123"] { driver.beginUpload(id) }
        #expect(driver.receive(message("have u-12 with 5 bytes, \(hex)")) == confirmed("u-12", 5))
        #expect(
            driver.receive(#"{"t":"error","code":"media_corrupt","message":"u-123: no"}"#) == [
                .uploadRefused(id: "u-123", code: "media_corrupt")
            ])
    }

    @Test func `other words without id, size or digest confirm nothing`() {
        for text in ["u-8 5 bytes \(hex)", "u-7 \(hex)", "u-7 5 bytes"] {
            let driver = HermesDriver()
            driver.beginUpload("u-7")
            #expect(driver.receive(message(text)) == [.unmatchedReply])
        }
    }

    @Test func `an upload that nobody waits for is confirmed in the protocol's own words only`() {
        let driver = HermesDriver()
        driver.beginUpload("u-7", bytes: 5)
        driver.endUpload("u-7")
        #expect(driver.receive(message("u-7 5 bytes \(hex)")) == [.unmatchedReply])
    }

    @Test func `confirmations are no replies in turns either`() {
        let driver = HermesDriver { $0.correlation = .turn }
        driver.openTurn(1)
        #expect(driver.receive(message("received u-1: 5 bytes, sha256 \(hex)")) == confirmed("u-1", 5))
        #expect(
            driver.receive(#"{"t":"message","id":"d","text":"hi","final":true}"#) == [
                .replyBegan(sequence: 1, firstShownAt: ms(0)), .replyEnded(sequence: 1, firstShownAt: ms(0), endedAt: ms(0), edits: 0),
            ])
    }

    @Test(arguments: ["media_corrupt", "media_too_large"])
    func `an error that begins with a pending upload refuses it`(code: String) {
        let driver = HermesDriver()
        driver.beginUpload("u-1")
        driver.beginUpload("u-2")
        let error = #"{"t":"error","code":"\#(code)","message":"u-2: part 1 is bad"}"#
        #expect(driver.receive(error) == [.uploadRefused(id: "u-2", code: code)])
        #expect(driver.receive(error) == [.uploadRefused(id: nil, code: code)])
        #expect(
            driver.receive(#"{"t":"error","code":"\#(code)","message":"u-1","fatal":true}"#) == [
                .uploadRefused(id: "u-1", code: code), .serverError(code: code, isFatal: true),
            ])
    }
}
