import StentorBase
import Testing

@testable import StentorFleet
@testable import StentorProfile

@Suite struct `Drops and absences` {
    private static let drops = [
        Profile.Drop(every: .seconds(10), how: .reset), Profile.Drop(every: .seconds(30), how: .halfOpen),
    ]

    private static func film(seed: UInt64, device: Int, stay: Int = 1) -> [String] {
        var schedule = DropSchedule(drops, seed: seed, device: device, stay: stay, start: at(0))
        return (0..<100).map { _ in
            let next = schedule.next ?? .distantFuture
            return "\(next) \(schedule.take(at: next)?.rawValue ?? "-")"
        }
    }

    @Test func `the same seed drops the same device at the same instants, another does not`() {
        #expect(Self.film(seed: 1, device: 3) == Self.film(seed: 1, device: 3))
        #expect(Self.film(seed: 1, device: 3) != Self.film(seed: 2, device: 3))
        #expect(Self.film(seed: 1, device: 3) != Self.film(seed: 1, device: 4))
        #expect(Self.film(seed: 1, device: 3) != Self.film(seed: 1, device: 3, stay: 2))
    }

    @Test func `drops come as often as their means say, each kind on its own`() {
        var counts: [Profile.Cut: Int] = [:]
        for device in 0..<200 {
            var schedule = DropSchedule(Self.drops, seed: 5, device: device, stay: 1, start: at(0))
            while let how = schedule.take(at: at(300_000)) { counts[how, default: 0] += 1 }
        }
        // 200 devices for 300 s: 6000 and 2000 expected; five standard deviations.
        #expect((5613...6387).contains(counts[.reset] ?? 0) && (1777...2223).contains(counts[.halfOpen] ?? 0))
        #expect(counts.count == 2)
    }

    @Test func `nothing is taken before it is due`() {
        var schedule = DropSchedule(Self.drops, seed: 1, device: 0, stay: 1, start: at(0))
        #expect(schedule.take(at: at(0)) == nil)
        #expect(DropSchedule([], seed: 1, device: 0, stay: 1, start: at(0)).next == nil)
    }

    @Test func `absences keep their distance and draw their lengths from the seed`() {
        let away = Profile.Away(every: .seconds(60), length: .seconds(1)...(.seconds(5)), how: .suspend)
        var lengths: [[Duration]] = []
        for _ in 0..<2 {
            var schedule = AbsenceSchedule(away, seed: 1, device: 7, stay: 1, start: at(0))
            #expect(schedule.next >= at(0) && schedule.next <= at(60_000))
            lengths.append(
                (0..<20).compactMap { _ in
                    let next = schedule.next
                    let length = schedule.take(at: next)
                    #expect(schedule.next == next + .seconds(60))
                    return length
                })
        }
        #expect(lengths[0] == lengths[1] && lengths[0].count == 20)
        #expect(lengths[0].allSatisfy { away.length.contains($0) } && Set(lengths[0]).count == 20)
    }

    @Test func `the busiest tenth of a second is found wherever it lies`() {
        var crowd = DialCrowd()
        #expect(crowd.share == nil)
        crowd.add([5, 20, 35, 50])
        #expect(crowd.share == 0.25)
        crowd.add([98, 99, 100, 104])
        crowd.add([107, 108])
        // From 98 to 107 there are five of ten.
        #expect(crowd.share == 0.5)
        crowd.add([])
        #expect(crowd.share == 0.5)
    }
}
