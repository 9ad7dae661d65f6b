import Foundation
import StentorBase
import StentorFleet
import StentorProfile
import TestSupport
import Testing

@testable import StentorCommand

@Suite struct `Token files` {
    private static func shared(_ tokens: FleetPlan.Tokens) -> String? {
        if case .shared(let secret) = tokens { secret.reveal() } else { nil }
    }
    private static func table(_ tokens: FleetPlan.Tokens) -> [String: String]? {
        if case .table(let table) = tokens { table.mapValues { $0.reveal() } } else { nil }
    }
    /// The failure of a file's text, with the file's path as `FILE`.
    private static func failure(_ text: String, isTable: Bool) throws -> UserFailure? {
        let path = try FreshDirectory.keep { try $0.write(text, to: "tokens") }
        do throws(UserFailure) {
            _ = try TokenFiles.read(isTable ? .tableFile(path.value) : .file(path.value))
            return nil
        } catch {
            return UserFailure(error.cause, error.message, place: error.place.replacing(path.value, with: "FILE"), hint: error.hint)
        }
    }

    @Test func `a profile without a file needs none`() throws {
        #expect(Self.shared(try TokenFiles.read(.none)) == "")
        #expect(Self.shared(try TokenFiles.read(.text(Secret("abc")))) == "abc")
    }

    @Test(arguments: ["s3cret", "s3cret\n", "  s3cret \t\n\n", "\ns3cret", "s3cret\r\n"])
    func `a file of one line is the token without the blanks around it`(text: String) throws {
        let path = try FreshDirectory.keep { try $0.write(text, to: "token") }
        #expect(Self.shared(try TokenFiles.read(.file(path.value))) == "s3cret")
    }

    @Test(arguments: ["", "\n\n", "   \n", "s3cret-1\ns3cret-2\n"])
    func `a file of no line, or of two, is refused without its text`(text: String) throws {
        #expect(try Self.failure(text, isTable: false) == UserFailure(.profile, "must hold one line, the token", place: "FILE"))
    }

    @Test func `a table has a line for each device; blanks around it, comments and empty lines do not count`() throws {
        let text = """
            # who may come in
            device-0=aaa

              device-1=b=b==\t
            #device-2=off
            device 3=c c
            """
        let path = try FreshDirectory.keep { try $0.write(text, to: "tokens") }
        #expect(
            Self.table(try TokenFiles.read(.tableFile(path.value))) == ["device-0": "aaa", "device-1": "b=b==", "device 3": "c c"])
    }

    @Test func `lines may end as those of Windows do`() throws {
        let path = try FreshDirectory.keep { try $0.write("a=1\r\n\r\nb=2\r\n", to: "tokens") }
        #expect(Self.table(try TokenFiles.read(.tableFile(path.value))) == ["a": "1", "b": "2"])
        #expect(try Self.failure("a=1\r\nb\r\n", isTable: true)?.place == "FILE:2")
        #expect(try Self.failure("one\r\ntwo\r\n", isTable: false)?.message == "must hold one line, the token")
    }

    @Test func `a table of nothing is one`() throws {
        let path = try FreshDirectory.keep { try $0.write("# none\n", to: "tokens") }
        #expect(Self.table(try TokenFiles.read(.tableFile(path.value))) == [:])
    }

    @Test(arguments: [("a=1\ns3cret\n", 2), ("s3cret=", 1), ("\n\n=s3cret", 3), ("# s3cret\na=1\nb=2\n s3cret \n", 4)])
    func `a line that is no pair is named by its number, not by its text`(text: String, line: Int) throws {
        #expect(try Self.failure(text, isTable: true) == UserFailure(.profile, "expected device_id=token", place: "FILE:\(line)"))
    }

    @Test func `a device that stands twice is named, its tokens are not`() throws {
        let failure = try Self.failure("a=s3cret-1\nb=2\na=s3cret-2\n", isTable: true)
        #expect(
            failure == UserFailure(.profile, "a second token for device 'a'", place: "FILE:3", hint: "keep one of the lines"))
    }

    @Test(arguments: [false, true])
    func `a file that cannot be read is named with the reason`(isTable: Bool) throws {
        let path = try FreshDirectory().path("absent")
        let failure = #expect(throws: UserFailure.self) { try TokenFiles.read(isTable ? .tableFile(path) : .file(path)) }
        #expect(failure == UserFailure(.profile, "cannot read the token file: No such file or directory", place: path))
    }
}

/// A path together with the directory that must not go before it.
struct KeptPath {
    let value: String
    let directory: FreshDirectory
}

extension FreshDirectory {
    /// Makes a directory and writes into it.
    static func keep(_ write: (FreshDirectory) throws -> String) throws -> KeptPath {
        let directory = try FreshDirectory()
        return KeptPath(value: try write(directory), directory: directory)
    }
}
