import StentorBase
import StentorWire

extension TargetURL {
    /// Reads a URL of a profile.
    ///
    /// The complaint never quotes the URL, which may hold a credential.
    ///
    /// - Parameters:
    ///   - schemes: Those that make sense here.
    ///   - example: One that would be right.
    static func read(_ text: String, schemes: [TargetURL.Scheme], example: String) throws(Complaint) -> TargetURL {
        guard schemes.contains(where: { text.lowercased().hasPrefix($0.rawValue + "://") }) else {
            throw Complaint(
                "expected a URL such as \(example)",
                hint: "it begins with \(schemes.map { "\($0.rawValue)://" }.joined(separator: " or "))")
        }
        do throws(UserFailure) { return try TargetURL(text) } catch { throw Complaint(error.message, hint: error.hint) }
    }
}
