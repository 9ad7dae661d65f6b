import StentorBase
import StentorMetrics
import StentorProfile
import StentorPush

/// The labels that a user gave the numbers of a run: those of the profile's push, and over them those of the command line.
struct SeriesLabels: Sendable {
    /// Each name once; in the profile's order, what the command line adds behind.
    let all: [(name: String, value: String)]

    /// Joins what was given; the profile's own were checked where they stand.
    ///
    /// - Throws: ``UserFailure`` for one of the command line that the numbers have themselves, or that is too long.
    init(_ push: Profile.Push?, _ given: [Assignment]) throws(UserFailure) {
        var labels: [(name: String, value: String)] = []
        for label in push?.labels ?? [] { labels.append((label.name, label.value)) }
        for label in given {
            try Self.check(label)
            if let index = labels.firstIndex(where: { $0.name == label.name }) {
                labels[index].value = label.value
            } else {
                labels.append((label.name, label.value))
            }
        }
        all = labels
    }

    private static func check(_ label: Assignment) throws(UserFailure) {
        guard !PrometheusText.reservedLabels.contains(label.name) else {
            throw UserFailure(
                .arguments, "the label '\(label.name)' is one that the numbers have themselves", place: "--label",
                hint: "choose another name")
        }
        guard label.value.utf8.count <= GroupingPath.valueLimitBytes else {
            throw UserFailure(
                .arguments, "the value of the label '\(label.name)' has \(label.value.utf8.count) bytes", place: "--label",
                hint: "at most \(GroupingPath.valueLimitBytes) bytes are allowed")
        }
    }
}
