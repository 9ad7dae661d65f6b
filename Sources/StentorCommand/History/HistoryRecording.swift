import Glibc
import StentorBase
import StentorReport

/// Whether and where a command records runs.
public struct HistoryRecording: Sendable, Equatable {
    /// Whether runs are recorded at all.
    public var isOn = true
    /// The history's file; nil: the environment's, or the user's own.
    public var database: String?

    /// Records in the place that the environment names, or the user's own.
    public init() {}

    init(_ arguments: CommandArguments) {
        isOn = !arguments.has("--no-history")
        database = arguments.value("--db")
    }

    static let options = [
        OptionSpec(
            "--db", "FILE", .text,
            help: "The file of the history, instead of STENTOR_HISTORY or the one in the user's data directory."),
        OptionSpec(switch: "--no-history", help: "Does not record the run in the history."),
    ]

    /// Records something; what goes wrong becomes a warning, for no run is worth less because of its history. Blocking.
    ///
    /// - Returns: The lines for stderr; nil when all went well or nothing is to be recorded.
    func warning(_ record: (RunHistory) throws(UserFailure) -> Void) -> String? {
        guard isOn else { return nil }
        do throws(UserFailure) {
            guard let path = try HistoryLocation.database(option: database, environment: Self.environment) else { return nil }
            try record(try RunHistory(recordingAt: path))
            return nil
        } catch {
            return UserFailure(
                error.cause, "the run is not in the history: \(error.message)", place: error.place,
                hint: error.hint.isEmpty ? "its run directory has all; 'stentor report' records it again" : error.hint
            ).rendered
        }
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
