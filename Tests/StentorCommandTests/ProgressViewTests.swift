import StentorCommand
import Testing

private func soak() -> ProgressFrame {
    var frame = ProgressFrame(
        title: "nightly-soak", target: "wss://gateway.example/ws", phase: "steady", elapsed: .seconds(8047), total: .seconds(29460),
        wantedDevices: 5000)
    frame.states = [
        .init("waiting", 0), .init("dialling", 3), .init("greeting", 1), .init("ready", 4987), .init("backing off", 7), .init("away", 2),
        .init("failed", 1), .init("left", 0),
    ]
    frame.rates = [
        .init("sent", perSecond: 250.04, total: 2_011_750), .init("answered", perSecond: 249.8, total: 2_011_004),
        .init("late", perSecond: 0, total: 3), .init("lost", perSecond: 0.02, total: 12), .init("not sent", perSecond: 0.1, total: 734),
    ]
    frame.latencies = [
        .init("reply", p50: 0.0423, p99: 0.187, count: 2500), .init("connect", p50: 0.0011, p99: nil, count: 8),
        .init("reconnect", p50: nil, p99: nil, count: 3),
    ]
    frame.errors = [
        .init("closed_by_server", 40), .init("refused", 21), .init("upgrade_timeout", 2), .init("bad_accept", 1),
        .init("tls_verification", 1), .init("http_status", 1),
    ]
    frame.notice = "drill 'mass drop' began"
    return frame
}

private func start() -> ProgressFrame {
    ProgressFrame(title: "smoke", target: "embedded", phase: "ramp", elapsed: .milliseconds(900), total: nil, wantedDevices: 10)
}

/// The lines of a screen without the escape that ends each.
private func lines(_ screen: String) -> [String] {
    screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0.dropLast($0.hasSuffix("\u{1B}[K") ? 3 : 0)) }
}

@Suite struct `The progress screen` {
    @Test func `fills a terminal of 80 by 24`() {
        var view = ProgressView(columns: 80, rows: 24, hasColours: false)
        let expected = """
            nightly-soak  wss://gateway.example/ws                                   steady
            [##########---------------------------] 27%    2:14:07 of 8:11:00, 5:56:53 left

            devices     4987/5000 ready  3 dialling       1 greeting       7 backing off
                        2 away           1 failed

            messages           sent   answered       late       lost   not sent
            per second          250        250          0       0.02       0.10
            in all        2,011,750  2,011,004          3         12        734

            latency             p50        p99    samples
            reply           42.3 ms     187 ms      2,500
            connect         1.10 ms  n/a (n=8)          8
            reconnect     n/a (n=3)  n/a (n=3)          3

            errors      66  closed_by_server 40  refused 21  upgrade_timeout 2  and 3 more

            drill 'mass drop' began
            """
        #expect(lines(view.screen(soak())).joined(separator: "\n") == expected)
    }

    @Test func `shows a run that has just begun and whose end is not known`() {
        var view = ProgressView(columns: 60, hasColours: false)
        let expected = """
            smoke  embedded                                        ramp
            00:00

            devices     0/10 ready

            errors      0
            """
        #expect(lines(view.screen(start())).joined(separator: "\n") == expected)
    }

    @Test func `is drawn over the one before, whatever their heights`() {
        var view = ProgressView(columns: 60, hasColours: false)
        let tall = soak()
        let first = view.screen(start())
        #expect(!first.contains("\u{1B}[6A") && !first.contains("\u{1B}[J"))
        let second = view.screen(tall)
        #expect(second.hasPrefix("\u{1B}[6A\r") && !second.contains("\u{1B}[J"))
        let third = view.screen(start())
        #expect(third == "\u{1B}[\(lines(second).count)A\r" + first + "\u{1B}[J")
    }

    @Test func `is erased to make room for other lines`() {
        var view = ProgressView(columns: 60, hasColours: false)
        #expect(view.erase() == "")
        let first = view.screen(start())
        #expect(view.erase() == "\u{1B}[6A\r\u{1B}[J")
        #expect(view.erase() == "")
        #expect(view.screen(start()) == first)
    }

    @Test(arguments: [20, 21, 33, 40, 59, 80, 133])
    func `is never wider than the terminal`(columns: Int) {
        var frame = soak()
        frame.title = "夜間の試験、とても長い名前を持つもの"
        frame.notice = String(repeating: "é🙂漢", count: 100)
        frame.states.append(.init("a state with a very long name that fits nowhere", 5))
        var view = ProgressView(columns: columns, rows: 50, hasColours: false)
        for line in lines(view.screen(frame)) { #expect(TerminalText.width(of: line) < columns) }
    }

    @Test(arguments: [2, 5, 8, 13, 19, 24])
    func `is lower than the terminal and loses its empty lines first`(rows: Int) {
        var view = ProgressView(columns: 80, rows: rows, hasColours: false)
        let screen = lines(view.screen(soak()))
        #expect(screen.count <= rows - 1)
        if rows < 19 { #expect(!screen.contains("")) }
        #expect(screen.first?.hasPrefix("nightly-soak") == true)
    }

    @Test func `leaves out columns that do not fit, from the right`() {
        var view = ProgressView(columns: 40, hasColours: false)
        let screen = lines(view.screen(soak()))
        #expect(screen.contains("messages           sent   answered"))
        #expect(screen.contains("in all        2,011,750  2,011,004"))
        #expect(screen.contains("2:14:07 of 8:11:00, 5:56:53 left"))
    }

    @Test func `follows a new size of the terminal`() {
        var view = ProgressView(columns: 20, hasColours: false)
        view.resize(columns: 80, rows: 24)
        #expect(lines(view.screen(soak())).first == "nightly-soak  wss://gateway.example/ws                                   steady")
    }

    @Test func `shows what is well in green and what is not in red`() {
        var view = ProgressView(columns: 60, hasColours: true)
        let first = view.screen(start())
        #expect(first.hasPrefix("\u{1B}[1msmoke\u{1B}[0m\u{1B}[2m  embedded\u{1B}[0m"))
        #expect(first.contains("\u{1B}[33m0/10 ready\u{1B}[0m"))
        #expect(first.contains("\u{1B}[32m0\u{1B}[0m\u{1B}[K\n"))
        var broken = soak()
        broken.phase = "outage"
        let second = view.screen(broken)
        #expect(second.contains("\u{1B}[31moutage\u{1B}[0m"))
        #expect(second.contains("\u{1B}[31m1 failed\u{1B}[0m"))
        #expect(second.contains("\u{1B}[31m66\u{1B}[0m"))
    }

    @Test func `obeys nothing that a text from outside says`() {
        var frame = start()
        frame.notice = "closed: \u{1B}[2J\u{9B}31m\u{202E}evil\r\n\u{7}"
        frame.target = "ws://\u{1B}]0;title\u{7}x"
        frame.errors = [.init("re\u{1B}[0mfused", 1)]
        var view = ProgressView(columns: 60, hasColours: false)
        let screen = lines(view.screen(frame))
        #expect(screen.last == "closed: [2J31mevil")
        #expect(screen.first == "smoke  ws://]0;titlex                                  ramp")
        #expect(screen.contains("errors      1  re[0mfused 1"))
        #expect(!view.line(frame).contains("\u{1B}"))
        #expect(view.line(frame).split(separator: "\n").count == 1)
    }
}

@Suite struct `The progress line` {
    @Test func `says in one line what the screen says`() {
        let view = ProgressView(hasColours: true)
        let expected = """
            2:14:07/8:11:00  steady  ready 4987/5000  dialling 3  greeting 1  backing off 7  away 2  failed 1  sent 250/s (2011750)  \
            answered 250/s (2011004)  late 0.00/s (3)  lost 0.02/s (12)  not sent 0.10/s (734)  reply p50 42.3 ms p99 187 ms  \
            connect p50 1.10 ms p99 n/a (n=8)  reconnect p50 n/a (n=3) p99 n/a (n=3)  errors 66  drill 'mass drop' began

            """
        #expect(view.line(soak()) == expected)
    }

    @Test func `leaves out what there is nothing of`() {
        #expect(ProgressView(hasColours: false).line(start()) == "00:00  ramp  ready 0/10  errors 0\n")
    }

    @Test(arguments: [
        (59, "00:59"), (60, "01:00"), (3599, "59:59"), (3600, "1:00:00"), (86399, "23:59:59"), (86400, "1d 00:00:00"), (-1, "00:00"),
    ])
    func `tells the time as clocks do`(seconds: Int, expected: String) {
        var frame = start()
        frame.elapsed = .seconds(seconds)
        #expect(ProgressView(hasColours: false).line(frame).hasPrefix(expected + "  "))
    }
}

@Suite struct `A frame of progress` {
    @Test(arguments: [(0, 0.0, 100), (25, 0.25, 75), (100, 1.0, 0), (130, 1.0, 0)])
    func `knows how much is over and how much is left`(elapsed: Int, ratio: Double, left: Int) {
        var frame = start()
        frame.total = .seconds(100)
        frame.elapsed = .seconds(elapsed)
        #expect(frame.doneRatio == ratio)
        #expect(frame.left == .seconds(left))
    }

    @Test func `knows neither without an end`() {
        #expect(start().doneRatio == nil)
        #expect(start().left == nil)
    }
}
