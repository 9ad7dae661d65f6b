import StentorBase
import StentorMetrics
import Testing

@testable import StentorFleet

@Suite struct `The latest events of a device` {
    private static let second: Int64 = 1_000_000_000

    @Test func `an event takes eight bytes, whatever it says`() {
        #expect(MemoryLayout<DeviceTrail>.size <= 8 * DeviceTrail.capacity + 4)
    }

    @Test func `each is told with its cause and number, to ten microseconds`() {
        var trail = DeviceTrail()
        trail.dialled(attempt: 1, at: 1_000_019_999)
        trail.dialFailed(.httpStatus, status: 503, at: 2 * Self.second)
        trail.ready(at: 3 * Self.second)
        trail.silenced(at: 4 * Self.second)
        trail.suspended(at: 5 * Self.second)
        trail.resumed(at: 6 * Self.second)
        trail.lost(.closedByServer, closeCode: 1012, at: 7 * Self.second)
        #expect(
            trail.events(since: 0) == [
                DeviceEvent(.dialled, seconds: 1.00001, number: 1), DeviceEvent(.dialFailed, seconds: 2, cause: "http_status", number: 503),
                DeviceEvent(.ready, seconds: 3), DeviceEvent(.silenced, seconds: 4), DeviceEvent(.suspended, seconds: 5),
                DeviceEvent(.resumed, seconds: 6), DeviceEvent(.lost, seconds: 7, cause: "closed_by_server", number: 1012),
            ])
    }

    @Test(arguments: DialCause.allCases) func `every cause of a failed dial comes back`(cause: DialCause) {
        var trail = DeviceTrail()
        trail.dialFailed(cause, at: 0)
        #expect(trail.events(since: 0).map(\.cause) == [cause.rawValue])
    }

    @Test(arguments: LossCause.allCases) func `every cause of a loss comes back`(cause: LossCause) {
        var trail = DeviceTrail()
        trail.lost(cause, closeCode: nil, at: 0)
        #expect(trail.events(since: 0) == [DeviceEvent(.lost, seconds: 0, cause: cause.rawValue)])
    }

    @Test func `the event before the start says how the device stood`() {
        var trail = DeviceTrail()
        for number in 1...4 { trail.dialled(attempt: number, at: Int64(number) * Self.second) }
        #expect(trail.events(since: 2.5).map(\.seconds) == [2, 3, 4])
        #expect(trail.events(since: 9).map(\.seconds) == [4])
        #expect(DeviceTrail().events(since: 0).isEmpty)
    }

    @Test func `the oldest give way, and it is said when one is missing`() {
        var trail = DeviceTrail()
        for number in 1...30 { trail.dialled(attempt: number, at: Int64(number) * Self.second) }
        #expect(trail.events(since: 21).compactMap(\.number) == Array(20...30))
        let all = trail.events(since: 5)
        #expect(all.first == DeviceEvent(.leftOut, seconds: 19) && all.count == 13)
        #expect(all.compactMap(\.number) == Array(19...30))
    }

    @Test func `numbers and times beyond its bits stay within them`() {
        var trail = DeviceTrail()
        trail.dialled(attempt: 70_000, at: -5)
        trail.dialled(attempt: -1, at: 100 * 86_400 * Self.second)
        #expect(
            trail.events(since: 0) == [
                DeviceEvent(.dialled, seconds: 0, number: 65_535), DeviceEvent(.dialled, seconds: 8_640_000),
            ])
    }
}
