import StentorBase

/// What a window holds, so that two neighbours can become one.
protocol WindowContent: Sendable {
    init()
    mutating func merge(_ later: Self)
}

/// A series of windows of equal length, in bounded memory.
///
/// Windows begin with one second. When ``capacity`` of them are full, neighbours are joined in pairs and windows become twice as long:
/// half to all of the capacity is in use, however long the run.
struct WindowSeries<Content: WindowContent>: Sendable {
    struct Window: Sendable {
        var content = Content()
        var seconds = 0
        var first = Instant.distantPast
        var last = Instant.distantPast

        /// When its values came, in the mean.
        var middle: Instant { first + (last - first) / 2 }

        mutating func merge(_ later: Window) {
            if seconds == 0 { first = later.first }
            content.merge(later.content)
            (seconds, last) = (seconds + later.seconds, later.last)
        }
    }

    /// The most windows that are kept.
    static var capacity: Int { 64 }

    /// The windows that are full, in the order of time.
    private(set) var windows: [Window] = []
    /// How many seconds make a window.
    private(set) var secondsPerWindow = 1
    private var open = Window()

    /// Adds what one second brought; seconds that brought nothing are left out by the caller.
    mutating func add(_ content: Content, at now: Instant) {
        open.merge(Window(content: content, seconds: 1, first: now, last: now))
        guard open.seconds >= secondsPerWindow else { return }
        windows.append(open)
        open = Window()
        guard windows.count == Self.capacity else { return }
        windows = Self.paired(windows)
        secondsPerWindow *= 2
    }

    /// The windows joined in pairs; a last one without a neighbour is dropped, since windows must be alike.
    static func paired(_ windows: [Window]) -> [Window] {
        stride(from: 0, to: windows.count - 1, by: 2).map { index in
            var window = windows[index]
            window.merge(windows[index + 1])
            return window
        }
    }
}
