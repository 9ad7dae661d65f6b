import StentorBase
import StentorLoop
import StentorProfile
import Testing

@testable import StentorCommand

@Suite struct `The options of an embedded gateway` {
    /// What starting it says about the gateway of a profile; nothing is started before all options are right.
    private static func failure(_ gateway: String) async throws -> UserFailure? {
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
        let options = try Profile.decode(Array(text.utf8), file: "p.yaml", options: DecodingOptions()).target.gateway
        return try EventLoop.runMain(name: "control") { loop in
            do throws(UserFailure) {
                _ = try await EmbeddedGateway.start(options, token: Secret("s3cret"), on: loop)
                return nil
            } catch { return error }
        }
    }

    @Test func `a value that is wrong is told at its place in the profile`() async throws {
        let failure = try await Self.failure("reply_delay: 20ms, edits: many")
        #expect(failure?.cause == .profile)
        #expect(failure?.message == "'many' is not a whole number in 0...1000")
        #expect(failure?.place.hasPrefix("p.yaml:5:") == true)
    }

    @Test func `an option that does not exist is told with the one that is meant`() async throws {
        let failure = try await Self.failure("reply_dely: 20ms")
        #expect(failure?.message == "unknown gateway option 'reply_dely'")
        #expect(failure?.hint == "did you mean 'reply_delay'?")
        #expect(failure?.place.hasPrefix("p.yaml:5:") == true)
    }
}
