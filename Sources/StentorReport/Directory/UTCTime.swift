import Glibc

/// Wall-clock times in UTC, as names and files spell them.
enum UTCTime {
    /// `20261130T034210Z`; for names of files.
    static func compact(_ secondsSinceEpoch: Double) -> String {
        let time = fields(secondsSinceEpoch)
        return "\(time.year)\(time.month)\(time.day)T\(time.hour)\(time.minute)\(time.second)Z"
    }

    /// `2026-11-30T03:42:10.123Z` (RFC 3339), cut to milliseconds.
    static func text(_ secondsSinceEpoch: Double) -> String {
        let time = fields(secondsSinceEpoch)
        return "\(time.year)-\(time.month)-\(time.day)T\(time.hour):\(time.minute):\(time.second).\(time.milliseconds)Z"
    }

    /// Milliseconds since 1970 of a text that ``text(_:)`` made; nil for any other text.
    static func milliseconds(_ text: String) -> Int? {
        let fields = text.split { !("0"..."9").contains($0) }.compactMap { Int32($0) }
        guard text.utf8.count == 24, fields.count == 7 else { return nil }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (fields[0] - 1900, fields[1] - 1, fields[2])
        (time.tm_hour, time.tm_min, time.tm_sec) = (fields[3], fields[4], fields[5])
        let seconds = Int(timegm(&time))
        // What is no date, such as the 31st of June, comes back as another one.
        guard Self.text(Double(seconds)).prefix(19) == text.prefix(19) else { return nil }
        return seconds * 1000 + Int(fields[6])
    }

    private typealias Fields = (
        year: String, month: String, day: String, hour: String, minute: String, second: String, milliseconds: String
    )

    /// Times before 1970 and from the year 10000 on, which no clock gives, are moved to these ends.
    private static func fields(_ secondsSinceEpoch: Double) -> Fields {
        let bounded = secondsSinceEpoch.isFinite ? min(max(secondsSinceEpoch, 0), 253_402_300_799.999) : 0
        let milliseconds = Int((bounded * 1000).rounded(.down))
        var seconds = time_t(milliseconds / 1000)
        var time = tm()
        gmtime_r(&seconds, &time)
        return (
            padded(Int(time.tm_year) + 1900, 4), padded(Int(time.tm_mon) + 1, 2), padded(Int(time.tm_mday), 2),
            padded(Int(time.tm_hour), 2), padded(Int(time.tm_min), 2), padded(Int(time.tm_sec), 2), padded(milliseconds % 1000, 3)
        )
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
