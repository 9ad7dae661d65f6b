import StentorBase
import StentorMetrics
import Testing

@testable import StentorFleet

@Suite struct `A way back` {
    @Test func `every millisecond from the loss to ready belongs to one stage`() {
        var way = WayBack(lostAt: at(1000), cutAt: at(700))
        way.waits(until: at(1200), at: at(1000))
        way.moved(to: .dialling, at: at(1203))
        way.moved(to: .upgrading, at: at(1210))
        way.moved(to: .greeting, at: at(1220))
        way.saidHello(at: at(1221))
        let stages = way.stages(endingAt: at(1250))
        var expected = ReturnStages(detect: 0.3)
        (expected.backoff, expected.lag, expected.dial) = (0.2, 0.003, 0.007)
        (expected.upgrade, expected.hello, expected.greeting) = (0.01, 0.001, 0.029)
        #expect(stages == expected)
        #expect(abs(stages.sum - 0.25) < 1e-9)
    }

    @Test(arguments: [DeviceState.dialling, .upgrading, .greeting])
    func `an attempt that fails at any stage is one failed time, and the waits add up`(last: DeviceState) {
        var way = WayBack(lostAt: at(0), cutAt: nil)
        way.waits(until: at(100), at: at(0))
        let attempt: [DeviceState] = [.dialling, .upgrading, .greeting]
        for (index, state) in attempt.enumerated() where state.rawValue <= last.rawValue {
            way.moved(to: state, at: at(100 + Int64(index)))
        }
        if last == .greeting { way.saidHello(at: at(103)) }
        way.waits(until: at(400), at: at(150))
        way.moved(to: .dialling, at: at(402))
        let stages = way.stages(endingAt: at(410))
        #expect(stages.detect == nil && stages.upgrade == 0 && stages.hello == 0 && stages.greeting == 0)
        #expect(stages.failed == 0.05 && stages.dial == 0.008 && stages.lag == 0.002)
        #expect(abs(stages.backoff - 0.35) < 1e-9 && abs(stages.sum - 0.41) < 1e-9)
    }

    @Test func `the attempt after which a device gives up has failed too`() {
        var way = WayBack(lostAt: at(0), cutAt: nil)
        way.waits(until: at(100), at: at(0))
        way.moved(to: .dialling, at: at(100))
        way.moved(to: .failed, at: at(130))
        let stages = way.stages(endingAt: at(130))
        #expect(stages.backoff == 0.1 && stages.failed == 0.03 && stages.dial == 0 && stages.lag == 0)
    }

    @Test func `a wait that is cut short counts as long as it took`() {
        var way = WayBack(lostAt: at(0), cutAt: at(0))
        way.waits(until: at(5000), at: at(0))
        way.moved(to: .left, at: at(50))
        let stages = way.stages(endingAt: at(120))
        #expect(stages.detect == 0 && stages.backoff == 0.12 && stages.lag == 0 && stages.sum == 0.12)
    }
}
