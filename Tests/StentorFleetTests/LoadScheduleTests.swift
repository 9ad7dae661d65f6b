import StentorBase
import Testing

@testable import StentorFleet

@Suite struct `The load schedule` {
    private typealias Stay = LoadSchedule.Stay

    private static func schedule(_ load: String, devices: Int = 10, rate: Double = 1000) throws -> LoadSchedule {
        LoadSchedule(try profile(devices: devices, load: load).load, connectRatePerSecond: rate)
    }

    /// Whole milliseconds: the schedule is worked out in binary fractions.
    private static func milliseconds(_ duration: Duration) -> Double { (duration.inSeconds * 1000).rounded() }

    private static let hills = "ramp: 4, over: 4s\nhold: 2s\nramp: 1, over: 3s\nhold: 1s\nramp: 3, over: 2s\nhold: 8s"

    @Test func `lets device i come when the number reaches i + 1`() throws {
        let schedule = try Self.schedule("ramp: 4, over: 2s\nhold: 1s")
        let comes = (0..<4).map { schedule.stays(ofDevice: $0).map(\.meant) }
        #expect(comes == [[.milliseconds(500)], [.seconds(1)], [.milliseconds(1500)], [.seconds(2)]])
        #expect((0..<4).allSatisfy { schedule.stays(ofDevice: $0)[0].leave == nil })
        #expect(schedule.duration == .seconds(3))
    }

    @Test func `lets the highest index leave first, and come again when the number rises again`() throws {
        let schedule = try Self.schedule(Self.hills)
        func stay(_ meant: Int, _ leave: Int?) -> Stay {
            Stay(meant: .seconds(meant), dial: .seconds(meant), leave: leave.map { .seconds($0) })
        }
        #expect(schedule.stays(ofDevice: 0) == [stay(1, nil)])
        #expect(schedule.stays(ofDevice: 1) == [stay(2, 8), stay(11, nil)])
        #expect(schedule.stays(ofDevice: 2) == [stay(3, 7), stay(12, nil)])
        #expect(schedule.stays(ofDevice: 3) == [stay(4, 6)])
        #expect(schedule.stays(ofDevice: 4).isEmpty)
        #expect(schedule.deviceCount == 4)
    }

    @Test(
        arguments: [
            (-1, 0), (0, 0), (999, 0), (1000, 1), (3999, 3), (4000, 4), (6000, 4), (6001, 3), (8001, 1), (9500, 1), (11_000, 2),
            (12_000, 3),
            (19_999, 3), (20_000, 3), (90_000, 3),
        ])
    func `knows the number of devices at a time`(milliseconds: Int, devices: Int) throws {
        #expect(try Self.schedule(Self.hills).devices(at: .milliseconds(milliseconds)) == devices)
    }

    @Test func `counts as many stays under way as devices at every time`() throws {
        let schedule = try Self.schedule(Self.hills)
        for millisecond in stride(from: 13, to: 20_000, by: 50) {
            let now = Duration.milliseconds(millisecond)
            let present = (0..<4).filter { index in
                schedule.stays(ofDevice: index).contains { $0.meant <= now && now < ($0.leave ?? .seconds(100)) }
            }
            #expect(present.count == schedule.devices(at: now), "at \(millisecond) ms")
        }
    }

    @Test(
        arguments: [
            (-20, LoadSchedule.Slope.rising), (0, .rising), (3999, .rising), (4000, .level), (5999, .level), (6000, .rising),
            (8999, .rising),
            (9000, .level), (10_000, .rising), (12_000, .level), (19_999, .level), (20_000, .over),
        ])
    func `rises also where it falls for a while`(milliseconds: Int, slope: LoadSchedule.Slope) throws {
        #expect(try Self.schedule(Self.hills).slope(at: .milliseconds(milliseconds)) == slope)
    }

    @Test func `falls when the number rises no more`() throws {
        let schedule = try Self.schedule("ramp: 4, over: 1s\nhold: 1s\nramp: 2, over: 1s\nhold: 1s\nramp: 0, over: 1s")
        let slopes = [500, 1500, 2500, 3500, 4500, 5500].map { schedule.slope(at: .milliseconds($0)) }
        #expect(slopes == [.rising, .level, .falling, .level, .falling, .over])
    }

    @Test func `spreads dials by the connect rate, in order, and never before they are meant`() throws {
        let schedule = try Self.schedule("ramp: 10, over: 1s\nhold: 9s", rate: 4)
        let stays = (0..<10).compactMap { schedule.stays(ofDevice: $0).first }
        #expect(stays[0].dial == stays[0].meant)
        #expect(zip(stays, stays.dropFirst()).map { Self.milliseconds($1.dial - $0.dial) } == Array(repeating: 250, count: 9))
        #expect(Self.milliseconds(stays[9].meant) == 1000 && Self.milliseconds(stays[9].dial) == 2350)
    }

    @Test func `dials are due on every step of a staircase, and not while the connect rate holds them back`() throws {
        let stairs = try Self.schedule("ramp: 5, over: 1s\nhold: 9s\nramp: 10, over: 1s\nhold: 9s", rate: 100)
        #expect(stairs.dialsAreDue(by: .seconds(5)))
        #expect(stairs.dialsAreDue(by: .seconds(15)))
        let held = try Self.schedule("ramp: 10, over: 1s\nhold: 9s", rate: 4)
        let due = [0, 100, 1000, 2349, 2351, 9000].map { held.dialsAreDue(by: .milliseconds($0)) }
        #expect(due == [true, true, false, false, true, true])
    }

    @Test func `a device that the connect rate holds back until it is to leave does not come, and takes no turn`() throws {
        // The tenth dial would be due at 0.1 s + 9 · 0.5 s; devices 9, 8, 7 … leave from 2.1 s on.
        let schedule = try Self.schedule("ramp: 10, over: 1s\nhold: 1s\nramp: 0, over: 1s\nhold: 3s\nramp: 1, over: 1s\nhold: 1s", rate: 2)
        let stays = (0..<10).flatMap { schedule.stays(ofDevice: $0) }
        #expect(stays.allSatisfy { stay in stay.leave.map { stay.dial < $0 } ?? true })
        let first = (0..<10).map { schedule.stays(ofDevice: $0).first { $0.leave != nil }.map { Self.milliseconds($0.dial) } }
        #expect(first == [100, 600, 1100, 1600, 2100, nil, nil, nil, nil, nil])
        #expect(schedule.stays(ofDevice: 0).last?.dial == .seconds(7))
    }
}
