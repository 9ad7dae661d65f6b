import StentorBase
import StentorDialect
import StentorProfile
import Testing

@testable import StentorCommand

@Suite struct `The options of an embedded gateway` {
    /// What is said about the gateway of a profile before anything is started.
    private static func failures(_ gateway: String) throws -> [UserFailure] {
        let text = """
            version: 1
            name: test
            target:
              url: embedded
              gateway: {\(gateway)}
            devices: {count: 1}
            load:
              - {ramp: 1, over: 1s}

            """
        let options = try Profile.decode(Array(text.utf8), file: "p.yaml", options: DecodingOptions(dialects: Dialect.catalogue)).target
            .gateway
        do throws(UserFailures) {
            try EmbeddedGateway.check(options, dialect: "hermes")
            return []
        } catch { return error.all }
    }

    @Test func `values that are wrong are told all at once, at their places in the profile`() throws {
        let failures = try Self.failures("reply_delay: 20ms, edits: many, photo_bytes: 3")
        #expect(failures.map(\.cause) == [.profile, .profile])
        #expect(failures.first?.message == "'many' is not a whole number in 0...1000")
        #expect(failures.allSatisfy { $0.place.hasPrefix("p.yaml:5:") })
    }

    @Test(arguments: [("reply_dely: 20ms", "reply_dely", "did you mean 'reply_delay'?")])
    func `an option that does not exist is told with the one that is meant`(text: String, name: String, hint: String) throws {
        let failures = try Self.failures(text)
        #expect(failures.map(\.message) == ["the hermes gateway has no option '\(name)'"])
        #expect(failures.first?.hint == hint)
    }

    @Test(arguments: ["listen: 127.0.0.1:1", "token: x", "life: 3s"])
    func `what the run settles itself is no option`(text: String) throws {
        #expect(try Self.failures(text).first?.message.hasPrefix("the hermes gateway has no option '") == true)
    }

    @Test func `options that contradict each other are told`() throws {
        #expect(try Self.failures("close_code: 1001").map(\.place) == ["target.gateway"])
    }

    @Test func `right options are right`() throws {
        #expect(try Self.failures("reply_delay: 20ms..30ms, stream: false, lose_rate: 1%").isEmpty)
    }
}
