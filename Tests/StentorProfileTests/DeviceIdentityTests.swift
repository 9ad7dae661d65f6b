import StentorBase
import Testing

@testable import StentorProfile

/// Stable identities of devices.
struct DeviceIdentityTests {
    private func devices(_ more: String) throws -> Profile.Devices {
        try decoded(profileText(devices: "devices: {count: 10, \(more)}")).devices
    }

    @Test func `ids by uuid are stable, distinct, and follow the seed`() throws {
        let pattern = try devices("id: 'p-{uuid}'").id
        let ids = (0..<1000).map { pattern.id(ofDevice: $0, seed: 7) }
        #expect(Set(ids).count == 1000)
        #expect(ids == (0..<1000).map { pattern.id(ofDevice: $0, seed: 7) })
        #expect(ids[0] != pattern.id(ofDevice: 0, seed: 8))
        #expect(ids.allSatisfy { $0.utf8.count == 38 && $0.hasPrefix("p-") })
    }

    @Test func `cohorts have their shares and do not move with the count`() throws {
        let devices = try devices("cohorts: [{name: a, share: 70%}, {name: b, share: 30%}]")
        let names = (0..<10_000).map { devices.cohort(ofDevice: $0, seed: 7)?.name }
        let count = names.filter { $0 == "a" }.count
        // Binomial: 7000 with a standard deviation of 46.
        #expect((6800...7200).contains(count))
        #expect(!names.contains(nil))
        #expect(names == (0..<10_000).map { devices.cohort(ofDevice: $0, seed: 7)?.name })
    }

    @Test func `without cohorts a device has none`() throws {
        #expect(try devices("name: x").cohort(ofDevice: 0, seed: 7) == nil)
    }
}
