import StentorBase

/// Renders progress: a screen that is drawn over itself on a terminal, or single lines elsewhere.
///
/// Pure: it returns text and keeps nothing but how many lines the last screen had. No line is wider than the terminal, and texts
/// from outside lose their control characters.
public struct ProgressView: Sendable {
    /// How often a line is due where there is no terminal.
    public static let lineInterval: Duration = .seconds(10)

    private var columns: Int
    private var rows: Int
    private let style: TerminalStyle
    private var drawnLines = 0

    /// Makes a view.
    ///
    /// - Parameters:
    ///   - columns: The terminal's width; at least 20 is used.
    ///   - rows: The terminal's height; the screen keeps below it, so that drawing over it stays possible.
    ///   - hasColours: Whether colours and bold text may be used.
    public init(columns: Int = 80, rows: Int = 24, hasColours: Bool) {
        self.columns = max(20, columns)
        self.rows = max(2, rows)
        style = TerminalStyle(hasColours: hasColours)
    }

    /// The text that draws a frame over the one before it.
    ///
    /// The cursor ends at the start of the line below the screen, so that whatever is printed next stands on its own line.
    public mutating func screen(_ frame: ProgressFrame) -> String {
        // The last column stays free: terminals disagree on what writing there does to the cursor.
        let lines = ProgressLayout(frame: frame, columns: columns - 1, rows: rows - 1).lines
        // Lines are overwritten in place and only what is left over is erased: erasing first would flicker.
        var text = drawnLines == 0 ? "" : "\u{1B}[\(drawnLines)A\r"
        for line in lines { text += line.styled(style) + "\u{1B}[K\n" }
        if lines.count < drawnLines { text += "\u{1B}[J" }
        drawnLines = lines.count
        return text
    }

    /// Takes over a new size of the terminal for the next screen.
    public mutating func resize(columns: Int, rows: Int) {
        self.columns = max(20, columns)
        self.rows = max(2, rows)
    }

    /// The text that removes the screen, so that other lines can be printed in its place; empty when nothing is drawn.
    public mutating func erase() -> String {
        defer { drawnLines = 0 }
        return drawnLines == 0 ? "" : "\u{1B}[\(drawnLines)A\r\u{1B}[J"
    }

    /// One line for where there is no terminal, with a newline at its end; without colours, as wide as it needs.
    public func line(_ frame: ProgressFrame) -> String {
        var parts = [ClockText.text(frame.elapsed) + (frame.total.map { "/" + ClockText.text($0) } ?? ""), frame.phase]
        parts.append("ready \(frame.readyDevices)/\(frame.wantedDevices)")
        parts += frame.states.filter { $0.name != "ready" && $0.devices > 0 }.map { "\($0.name) \($0.devices)" }
        parts += frame.rates.filter { $0.total > 0 }.map { "\($0.name) \(Quantity.significant($0.perSecond))/s (\($0.total))" }
        for latency in frame.latencies where latency.count > 0 {
            let texts = [latency.p50, latency.p99].map { LatencyText.text($0, latency.count) }
            parts.append("\(latency.name) p50 \(texts[0]) p99 \(texts[1])")
        }
        parts.append("errors \(frame.errorTotal)")
        if !frame.notice.isEmpty { parts.append(frame.notice) }
        return parts.map { TerminalText.clean($0) }.joined(separator: "  ") + "\n"
    }
}

/// Prints durations as clocks do.
enum ClockText {
    /// Whole seconds, rounded down: `04:05`, `2:04:05`, `3d 02:04:05`.
    static func text(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        let (days, hours, minutes) = (seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60)
        let tail = "\(padded(minutes)):\(padded(seconds % 60))"
        if days > 0 { return "\(days)d \(padded(hours)):\(tail)" }
        return hours > 0 ? "\(hours):\(tail)" : tail
    }

    private static func padded(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

/// Prints counts with their digits in groups of three: `2,011,750`.
enum CountText {
    static func text(_ count: Int) -> String {
        let digits = Array(String(count.magnitude))
        var text = count < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}

/// Prints a percentile, or that there is none.
enum LatencyText {
    static func text(_ seconds: Double?, _ count: Int) -> String {
        seconds.map(Quantity.secondsText) ?? "n/a (n=\(count))"
    }
}
