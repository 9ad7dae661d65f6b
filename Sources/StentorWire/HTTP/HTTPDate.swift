/// Dates in header fields (RFC 9110 § 5.6.7).
public enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Whole seconds since 1970-01-01T00:00:00Z of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else.
    ///
    /// The name of the day is not compared with the date. The two obsolete forms are not read.
    public static func secondsSinceEpoch(_ text: String) -> Int? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[0].utf8.count == 4, words[0].hasSuffix(","), words[5] == "GMT",
            words[1].utf8.count == 2, let day = HTTPGrammar.number(words[1]),
            let month = months.firstIndex(of: String(words[2])),
            words[3].utf8.count == 4, let year = HTTPGrammar.number(words[3]), year >= 1583
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
        let parts = clock.compactMap { $0.utf8.count == 2 ? HTTPGrammar.number($0) : nil }
        guard clock.count == 3, parts.count == 3, parts[0] < 24, parts[1] < 60, parts[2] <= 60 else { return nil }
        guard day >= 1, day <= daysInMonth(month + 1, year: year) else { return nil }
        return daysSinceEpoch(year: year, month: month + 1, day: day) * 86_400 + parts[0] * 3600 + parts[1] * 60 + parts[2]
    }

    private static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 in the Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`).
    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
