import Foundation
import StentorBase
import StentorDialect
import Testing

@testable import StentorProfile

/// The folder `Profiles` of the repository.
let shippedProfiles = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Profiles")

/// The profiles that come with the project.
struct ShippedProfileTests {
    static let names = ["capacity", "echo", "reconnect", "rooms", "smoke", "soak", "soak-drops", "typed"]

    private func path(_ name: String) -> String { shippedProfiles.appending(path: "\(name).yaml").path }

    @Test func `the list of these tests is the folder's`() throws {
        let found = try FileManager.default.contentsOfDirectory(atPath: shippedProfiles.path).filter { $0.hasSuffix(".yaml") }
        #expect(Set(found) == Set(Self.names.map { "\($0).yaml" }))
    }

    @Test(arguments: names)
    func `it decodes, is named after its file, and runs on this machine alone`(_ name: String) throws {
        let profile = try Profile.load(path: path(name), options: DecodingOptions(dialects: Dialect.catalogue))
        #expect(profile.name == name)
        #expect(profile.target.endpoint == .embedded)
        #expect(profile.devices.count <= 2000)
        #expect(!profile.gates.isEmpty)
    }

    @Test(arguments: names)
    func `it opens with its question, load and run time`(_ name: String) throws {
        let lines = try String(contentsOfFile: path(name), encoding: .utf8).split(separator: "\n")
        #expect(lines[0].hasPrefix("# Question: "))
        #expect(lines[1].hasPrefix("# Load:     "))
        #expect(lines[2].hasPrefix("# Run time: "))
    }

    @Test(arguments: names)
    func `it may be pointed at another gateway, with other devices and for another time`(_ name: String) throws {
        var options = DecodingOptions(dialects: Dialect.catalogue, allowedHosts: ["gateway.example"])
        options.overrides = [.target("wss://gateway.example/ws"), .devices("10"), .duration("90s")]
        let profile = try Profile.load(path: path(name), options: options)
        #expect(profile.devices.count == 10)
        #expect(profile.load.peakDevices == 10)
        #expect(profile.load.steps.contains(.hold(.seconds(90))))
    }

    @Test func `smoke takes about 20 seconds and uses everything`() throws {
        let profile = try Profile.load(path: path("smoke"), options: DecodingOptions(dialects: Dialect.catalogue))
        #expect(profile.load.totalDuration == .seconds(20))
        #expect(profile.devices.count == 50)
        let behaviour = profile.behaviour
        #expect(behaviour.text != nil && behaviour.photo != nil && behaviour.prompts != nil && behaviour.ping != nil)
        #expect(profile.drills.map(\.action) == [.disconnect(Profile.Disconnect(share: 1, within: .milliseconds(500), how: .close))])
    }
}
