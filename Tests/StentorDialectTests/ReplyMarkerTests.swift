import StentorDialect
import Testing

struct ReplyMarkerTests {
    @Test(arguments: [
        ("[#0]", 0), ("[#42] hi", 42), ("you said: [#7]", 7), ("[#[#3]", 3), ("[#1][#2]", 1), ("[#] [#x] [#5]", 5),
        ("[#999999999999999999]", 999_999_999_999_999_999), ("é[#8]", 8),
    ])
    func `the first whole marker is found`(text: String, sequence: Int) {
        #expect(Array(text.utf8).withUnsafeBytes { ReplyMarker.find(in: $0) } == sequence)
    }

    @Test(arguments: ["", "[", "[#", "[#1", "[#]", "[#-1]", "[# 1]", "[#1 ]", "[1]", "#1]", "[#1000000000000000000]"])
    func `anything else is none`(text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { ReplyMarker.find(in: $0) } == nil)
    }

    @Test(arguments: [0, 1, 123_456, 999_999_999_999_999_999])
    func `a written marker is found again`(sequence: Int) {
        #expect(ReplyMarker.text(sequence) == "[#\(sequence)]")
        #expect(Array(ReplyMarker.text(sequence).utf8).withUnsafeBytes { ReplyMarker.find(in: $0) } == sequence)
        #expect(ReplyMarker.text(sequence).utf8.count <= ReplyMarker.longestBytes)
    }
}
