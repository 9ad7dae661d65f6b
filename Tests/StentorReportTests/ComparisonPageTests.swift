import StentorMetrics
import StentorStatistics
import StentorTruth
import Testing

@testable import StentorReport

struct ComparisonPageTests {
    /// Runs of a gateway that got slower, is longer away and loses some, with names as given.
    private static func runs(named name: String = "nightly") -> (base: [RunMeasurements], candidate: [RunMeasurements]) {
        var gateway = ModelGateway()
        (gateway.devices, gateway.steadySeconds) = (200, 120)
        var other = gateway
        (other.replySeconds, other.downSeconds, other.lostShare) = (0.12, 6, 0.03)
        func run(_ gateway: ModelGateway, _ seed: UInt64, _ label: String) -> RunMeasurements {
            var run = gateway.run(seed: seed, name: "r\(seed)")
            run.identity.path = name
            run.identity.profile = name
            (run.identity.target, run.identity.labels, run.identity.seed) = (name, ["\(name)=\(label)"], "7")
            run.identity.reasons = [name]
            run.outages[0].name = name
            // Too few for a p99, and a count that nothing of happened.
            let rare = run.series[.init(.reply, .steady)]?.prefix(1) ?? []
            run.series[.init(.pingRTT, .steady)] = Array(rare)
            return run
        }
        return ([run(gateway, 1, "1"), run(gateway, 2, "1")], [run(other, 3, "2"), run(other, 4, "2")])
    }

    private static func html(
        _ runs: (base: [RunMeasurements], candidate: [RunMeasurements]) = runs(), isCalibration: Bool = false
    ) -> String {
        let comparison = Comparison(
            base: runs.base, candidate: runs.candidate, isCalibration: isCalibration, replicates: 40)
        let shifts = QuantileShift.all(base: runs.base, candidate: runs.candidate, replicates: 40)
        return String(decoding: ComparisonPage(comparison, shifts: shifts).bytes, as: UTF8.self)
    }

    private static let page = html()

    /// Whether a text holds a part; keeps a failure's message short.
    private func isIn(_ text: String, _ part: String) -> Bool { text.contains(part) }

    @Test func `the page is well formed and begins with the verdict`() {
        let check = HTMLCheck(Self.page)
        #expect(check.faults == [])
        #expect(check.elements.prefix(2) == ["html", "head"])
        let marks = [
            "id=\"verdict\"", "id=\"runs\"", "id=\"forest\"", "id=\"missing\"", "id=\"outage-1\"", "id=\"shift-reply-steady\"",
            "id=\"numbers\"", "id=\"definitions\"",
        ]
        let places = marks.compactMap { Self.page.firstRange(of: $0)?.lowerBound }
        #expect(places.count == marks.count && places == places.sorted())
        #expect(isIn(check.text, "base nightly=1 (2 runs) · candidate nightly=2 (2 runs) ✗ worse Of "))
        #expect(isIn(check.text, "numbers were judged together: by Holm’s method"))
        #expect(isIn(check.text, "✓ Like for like"))
    }

    @Test func `nothing is loaded from elsewhere, and every link leads to a place of the page`() {
        let check = HTMLCheck(Self.page)
        let loading = check.attributes.filter { ["src", "href", "srcset", "action", "data", "xlink:href"].contains($0.name) }
        let ids = check.attributes.filter { $0.name == "id" }.map(\.value)
        #expect(loading.count > 20)
        for link in loading { #expect(link.value.hasPrefix("#") && ids.contains(String(link.value.dropFirst())), "\(link)") }
        #expect(Set(ids).count == ids.count)
        for part in ["url(", "@import", "http://", "https://"] { #expect(!isIn(Self.page, part)) }
        #expect(isIn(Self.page, "default-src 'none'"))
    }

    @Test(arguments: [
        "</script><script>alert(1)</script>", "\" onload=\"alert(1)", "'><img src=x onerror=alert(1)>", "]]>&lt;b&gt;<!--",
        "\u{202E}live\u{202C} \u{2067}אב\u{2069}\u{200F}", "a\nb\r\u{0}\u{1B}[31m", String(repeating: "<x>", count: 3500),
    ])
    func `hostile names stay text`(name: String) {
        let html = Self.html(Self.runs(named: name))
        let check = HTMLCheck(html)
        #expect(check.faults == [])
        #expect(check.counts == HTMLCheck(Self.page).counts)
        #expect(!check.attributes.contains { $0.name.hasPrefix("on") })
        let forbidden = html.unicodeScalars.contains { $0.properties.generalCategory == .format || ($0.value < 32 && $0 != "\n") }
        #expect(!forbidden)
    }

    @Test func `every number stands on the page, and those that are n/a with the reason`() {
        let runs = Self.runs()
        let comparison = Comparison(base: runs.base, candidate: runs.candidate, replicates: 40)
        let text = HTMLCheck(Self.page).text
        #expect(comparison.numbers.contains { $0.finding == nil } && comparison.numbers.contains { $0.finding != nil })
        for number in comparison.numbers {
            let name = HTMLText.clean(number.name)
            guard let finding = number.finding else {
                #expect(isIn(text, "n/a: \(HTMLText.clean(number.missing ?? "?"))") && isIn(text, " \(name) "), "\(name)")
                continue
            }
            let difference = DifferenceText(number)
            let interval = difference.interval(finding.difference.low, finding.difference.high, difference.absolute)
            let cells =
                "\(difference.absolute(finding.difference.value)) \(interval) \(difference.relative(finding.difference.value) ?? "–")"
            #expect(isIn(text, " \(name) ") && isIn(text, cells), "\(name): \(cells)")
        }
        #expect(isIn(text, "n/a (n="))
    }

    @Test func `verdicts are told by words and shapes, not by colour alone`() {
        let check = HTMLCheck(Self.page)
        let kinds = check.attributes.filter { $0.name == "class" }.map(\.value)
        #expect(kinds.contains("pt worse") && kinds.contains("pt same"))
        #expect(isIn(check.text, "✗ worse") && isIn(check.text, "○ no difference shown"))
        let shapes = ["worse", "better", "same", "open"].map { ForestPlot.mark($0, at: nil).split(separator: " d=\"")[1] }
        #expect(Set(shapes).count == 4)
    }

    @Test func `an outage has the devices at risk and a tick for each that was watched no longer`() throws {
        let runs = Self.runs()
        let outage = try #require(Comparison(base: runs.base, candidate: runs.candidate, replicates: 40).outages.first)
        #expect(outage.base.censoredSeconds.count == outage.base.censored && outage.base.censored > 0)
        let text = HTMLCheck(Self.page).text
        #expect(isIn(text, "Devices still waiting and watched at 0"))
        #expect(isIn(text, "base \(outage.base.devices) "))
        let ticks = Self.page.ranges(of: "v44").count
        #expect(ticks == outage.base.censored + outage.candidate.censored)
        #expect(isIn(text, "Log-rank test over the whole curves: χ² = "))
    }

    @Test func `the same runs give the same bytes`() {
        #expect(Self.html() == Self.page)
    }

    @Test func `runs that are not alike are told at the top`() {
        var runs = Self.runs()
        runs.candidate[0].identity.seed = "8<b>"
        let text = HTMLCheck(Self.html(runs)).text
        #expect(isIn(text, "The runs are not alike : a difference may come from that."))
        #expect(isIn(text, "! Not alike") && isIn(text, "8&lt;b&gt;") && !isIn(text, "Like for like"))
    }

    @Test func `of one version all is noise`() {
        let text = HTMLCheck(Self.html(isCalibration: true)).text
        #expect(isIn(text, "≈ noise Both sides are one version, so whatever differs here is noise."))
    }

    @Test func `one run a side says what it cannot know`() {
        let runs = Self.runs()
        let text = HTMLCheck(Self.html((Array(runs.base.prefix(1)), Array(runs.candidate.prefix(1))))).text
        #expect(isIn(text, "One run a side: the intervals know chance within these runs"))
        #expect(!isIn(text, "run to run ± "))
    }

    @Test func `runs without anything in common say so`() {
        let empty = RunMeasurements(identity: ComparedRun(path: "a", runID: "a"))
        let check = HTMLCheck(Self.html(([empty], [RunMeasurements(identity: ComparedRun(path: "b", runID: "b"))])))
        #expect(check.faults == [])
        #expect(isIn(check.text, "No number could be judged.") && isIn(check.text, "No number could be compared."))
    }

    @Test func `curves of many devices stay small`() {
        var gateway = ModelGateway()
        (gateway.devices, gateway.steadySeconds) = (20_000, 30)
        let runs = [1, 2].map { gateway.run(seed: $0, name: "m\($0)") }
        #expect(Self.html(([runs[0]], [runs[1]])).utf8.count < 600_000)
    }
}

struct StretchedAxisTests {
    @Test(arguments: [[0.02], [-0.5, 0.3], [12, -0.001], [0, 0], [.infinity, -.infinity], [1e300, -1e300]] as [[Double]])
    func `values keep their order and lie within`(values: [Double]) {
        let axis = StretchedAxis(core: 0.01, values)
        #expect(axis.ticks.contains(0))
        let places = (axis.ticks + values).sorted().map(axis.place)
        #expect(places == places.sorted())
        #expect(places.allSatisfy { (0...1).contains($0) })
    }

    @Test(arguments: [0.03, 0.2, 1, 9, 400, 1e5] as [Double])
    func `marks stand apart`(reach: Double) {
        let axis = StretchedAxis(core: 0.01, [-reach, reach])
        let places = axis.ticks.map(axis.place)
        #expect(axis.ticks.count >= 3)
        #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 > 0.1 })
    }
}
