import StentorMetrics
import Testing

@testable import StentorFleet

@Suite struct `The phases of a run` {
    /// Feeds a machine with looks every 50 ms, as the conductor does, and notes what it says.
    private final class Film {
        var machine: PhaseMachine
        var look = PhaseMachine.View(elapsed: 0, slope: .rising, wanted: 100, ready: 0, losses: 0, returns: 0, dials: 0, isEnding: false)
        var phases: [String] = []
        var outages: [Outage] = []
        var opened: [String] = []
        private var ticks = 0

        init() { machine = PhaseMachine() }

        /// Looks until a time; `change` is called before each look with the seconds since the start.
        func run(to seconds: Double, _ change: (inout PhaseMachine.View, Double) -> Void = { _, _ in }) {
            while Double(ticks + 1) * 0.05 <= seconds + 1e-9 {
                ticks += 1
                look.elapsed = Double(ticks) * 0.05
                change(&look, look.elapsed)
                note(machine.tick(look))
            }
        }
        func drill(_ name: String) { note(machine.drillStarted(name, look)) }
        private func note(_ actions: [PhaseMachine.Action]) {
            for action in actions {
                switch action {
                case .enter(let phase): phases.append("\(Self.text(look.elapsed)) \(phase.name)")
                case .outageOpened(let name): opened.append(name)
                case .outageClosed(let outage): outages.append(outage)
                }
            }
        }
        static func text(_ seconds: Double) -> String {
            let hundredths = Int((seconds * 100).rounded())
            return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
        }

        /// A hundred devices come within the first second, and the load is level from then on.
        static func steady() -> Film {
            let film = Film()
            film.run(to: 1) { look, now in
                look.ready = Int((now * 100).rounded())
                look.dials = look.ready
                if now >= 1 { look.slope = .level }
            }
            return film
        }
    }

    private static func text(_ seconds: Double?) -> String { seconds.map { Film.text($0) } ?? "-" }
    private static func returns(_ outage: Outage) -> [String] {
        [outage.readyAfter50Seconds, outage.readyAfter90Seconds, outage.readyAfter99Seconds, outage.readyAfter100Seconds].map { text($0) }
    }

    @Test func `a plateau begins when 99 % of the devices are there, and ends when the load rises`() {
        let film = Film()
        film.run(to: 5) { look, now in
            look.slope = now < 1 || now >= 4 ? .rising : .level
            look.ready = now < 2 ? 98 : 99
        }
        #expect(film.phases == ["2.00 steady", "4.00 ramp"])
    }

    @Test func `a plateau goes on when a few devices are away for a while`() {
        let film = Film.steady()
        film.run(to: 3) { look, now in look.ready = now < 2 ? 100 : 95 }
        #expect(film.phases == ["1.00 steady"])
    }

    @Test func `a drill is an outage until the first device is back, a recovery until 99 % are, and has its numbers`() {
        let film = Film.steady()
        film.drill("all cut")
        //  1.00  drill   1.05  100 lost   2.00–2.95  5 dials and returns a look: 5 … 100 back
        film.run(to: 4) { look, now in
            look.losses = 100
            let back = now < 2 ? 0 : min(100, Int(((now - 1.95) * 100).rounded()))
            look.returns = back
            look.ready = back
            look.dials = 100 + back
        }
        #expect(film.phases == ["1.00 steady", "1.00 outage", "2.00 recovery", "2.95 steady"])
        #expect(film.opened == ["all cut"])
        #expect(film.outages.count == 1)
        let outage = film.outages[0]
        #expect(outage.name == "all cut" && outage.devicesLost == 100 && outage.attempts == 100)
        #expect(Self.text(outage.startSeconds) == "1.00" && Self.text(outage.endSeconds) == "2.95")
        #expect(Self.returns(outage) == ["1.45", "1.85", "1.95", "1.95"])
        #expect(outage.peakDialsPerSecond == 100)
        #expect(film.machine.openOutage == nil && film.machine.finish() == nil)
    }

    @Test func `dials of the first look after the cut are part of the peak, and the peak is a rate per second`() {
        let film = Film.steady()
        film.drill("herd")
        film.run(to: 6) { look, now in
            look.losses = 100
            look.ready = 0
            // All dial at once, then 10 in every 50 ms: 200/s.
            look.dials = 200 + (now < 3 ? 0 : Int(((now - 2.95) * 200).rounded()))
        }
        #expect(film.machine.openOutage?.peakDialsPerSecond == 200)
        let slow = Film.steady()
        slow.drill("herd")
        slow.run(to: 1.5) { look, _ in
            look.losses = 100
            look.ready = 0
            look.dials = 180
        }
        #expect(slow.machine.openOutage?.peakDialsPerSecond == 80)
        #expect(slow.machine.openOutage?.attempts == 80)
    }

    @Test func `cuts spread over time are one outage, though each device is back before the next is cut`() {
        let film = Film.steady()
        film.drill("rolling restart")
        // A device every 100 ms from 1 s to 11 s, back after 50 ms; cutsAhead counts those that still stand.
        film.run(to: 12) { look, now in
            let tenths = Int(((now - 1) * 10 + 0.001).rounded(.down))
            look.losses = min(100, tenths)
            look.cutsAhead = 100 - look.losses
            let isAway = now < 11.01 && Int((now * 20).rounded()) % 2 == 0
            look.returns = max(0, look.losses - (isAway ? 1 : 0))
            look.ready = 100 - (look.losses - look.returns)
        }
        #expect(film.outages.count == 1)
        #expect(film.outages.first?.devicesLost == 100)
        #expect(Self.text(film.outages.first?.endSeconds) == "11.05" || Self.text(film.outages.first?.endSeconds) == "11.00")
        #expect(film.phases == ["1.00 steady", "1.00 outage", "1.15 recovery", "\(Self.text(film.outages.first?.endSeconds)) steady"])
    }

    @Test func `a drill that takes nobody is over soon`() {
        let film = Film.steady()
        film.drill("nobody")
        film.run(to: 3)
        #expect(film.phases == ["1.00 steady", "1.00 outage", "1.55 steady"])
        #expect(film.outages.map(\.devicesLost) == [0])
        #expect(film.outages.first.map(Self.returns) == ["-", "-", "-", "-"])
    }

    @Test func `a drill whose cuts are still ahead is not over`() {
        let film = Film.steady()
        film.drill("orderly")
        film.run(to: 4) { look, _ in look.cutsAhead = 30 }
        #expect(film.machine.phase == .outage)
        #expect(film.outages.isEmpty)
    }

    @Test func `times of return are taken back when more devices are lost`() {
        let film = Film.steady()
        film.drill("two waves")
        film.run(to: 4) { look, now in
            look.losses = now < 2 ? 50 : 100
            look.returns = now < 1.5 ? 0 : now < 3 ? 49 : 99
            look.ready = 100 - look.losses + look.returns
            look.cutsAhead = 100 - look.losses
        }
        #expect(film.outages.map(Self.returns) == [["2.00", "2.00", "2.00", "-"]])
        #expect(film.outages.first?.devicesLost == 100)
    }

    // MARK: - Collapses

    @Test func `a collapse is found, and begins with the last look before its first loss`() {
        let film = Film.steady()
        film.run(to: 12) { look, now in
            look.losses = now < 10 ? 0 : min(60, Int(((now - 9.95) * 40).rounded()))
            look.returns = now < 11.5 ? 0 : 60
            look.ready = 100 - look.losses + look.returns
        }
        #expect(film.opened == ["collapse"])
        #expect(film.outages.count == 1)
        #expect(Self.text(film.outages.first?.startSeconds) == "9.95")
        #expect(film.outages.first?.devicesLost == 60)
        #expect(film.outages.first.map(Self.returns) == ["1.55", "1.55", "1.55", "1.55"])
    }

    @Test func `devices that were back before the collapse was noticed count as back`() {
        let film = Film.steady()
        film.run(to: 4) { look, now in
            // 5 lost at 2.00 and back at 2.05, then 20 lost at 2.10 and back at 3.00.
            look.losses = now < 2 ? 0 : now < 2.1 ? 5 : 25
            look.returns = now < 2.05 ? 0 : now < 3 ? 5 : 25
            look.ready = 100 - look.losses + look.returns
        }
        #expect(film.outages.map(\.devicesLost) == [25])
        #expect(film.outages.map(Self.returns) == [["1.05", "1.05", "1.05", "1.05"]])
        #expect(film.machine.phase == .steady)
    }

    @Test(arguments: [(9, 100, false), (10, 100, true), (2, 4, false), (3, 4, true), (3, 30, true), (3, 31, false)])
    func `a tenth of the ready devices and three at least make a collapse`(lost: Int, ready: Int, isCollapse: Bool) {
        let film = Film()
        film.run(to: 3) { look, now in
            look.slope = .level
            look.wanted = ready
            look.losses = now < 2 ? 0 : lost
            look.ready = ready - look.losses
        }
        #expect(film.opened == (isCollapse ? ["collapse"] : []))
    }

    @Test func `losses that trickle are no collapse`() {
        let film = Film.steady()
        // Four a second, each back after a second: 8 within any two seconds.
        film.run(to: 20) { look, now in
            look.losses = Int(((now - 1) * 4).rounded(.down))
            look.returns = max(0, look.losses - 4)
            look.ready = 100 - look.losses + look.returns
        }
        #expect(film.opened.isEmpty)
    }

    @Test func `the losses of one outage open no second window`() {
        let film = Film.steady()
        film.drill("cut")
        film.run(to: 5) { look, now in
            look.losses = 100
            look.returns = now < 1.6 ? 0 : 100
            look.ready = look.returns
        }
        #expect(film.opened == ["cut"])
        #expect(film.outages.map(\.devicesLost) == [100])
        #expect(film.phases == ["1.00 steady", "1.00 outage", "1.60 recovery", "1.60 steady"])
    }

    @Test func `a second drill ends the first window as it is`() {
        let film = Film.steady()
        film.drill("one")
        film.run(to: 2) { look, _ in
            look.losses = 40
            look.ready = 60
        }
        film.drill("two")
        film.run(to: 3) { look, _ in
            look.losses = 100
            look.ready = 0
        }
        #expect(film.outages.map(\.name) == ["one"])
        #expect(film.outages.first?.endSeconds == nil && film.outages.first?.devicesLost == 40)
        #expect(film.machine.openOutage?.name == "two" && film.machine.openOutage?.devicesLost == 60)
        #expect(film.machine.finish()?.name == "two")
    }

    // MARK: - The end

    @Test(arguments: [LoadSchedule.Slope.falling, .over])
    func `the last fall and the end of the load drain, and devices that leave are no outage`(slope: LoadSchedule.Slope) {
        let film = Film.steady()
        film.run(to: 4) { look, now in
            if now >= 2 { look.slope = slope }
            if now >= 2 { look.ready = 0 }
        }
        #expect(film.phases == ["1.00 steady", "2.00 drain"])
        #expect(film.opened.isEmpty)
    }

    @Test func `a run that is ended drains, and closes an open window without an end`() {
        let film = Film.steady()
        film.drill("cut")
        film.run(to: 3) { look, now in
            look.losses = 100
            look.ready = 0
            if now >= 2 { look.isEnding = true }
        }
        #expect(film.phases == ["1.00 steady", "1.00 outage", "2.00 drain"])
        #expect(film.outages.map(\.devicesLost) == [100])
        #expect(film.outages.first?.endSeconds == nil)
    }
}
