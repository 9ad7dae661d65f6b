import Foundation
import StentorBase
import StentorMetrics
import TestSupport
import Testing

@testable import StentorReport

struct SummaryDocumentTests {
    private static func faults(_ bytes: [UInt8]) throws -> [String] {
        try SchemaValidator.summary().faults(in: Data(bytes))
    }

    private static func member(_ json: JSONTree, _ path: String...) -> JSONTree? {
        path.reduce(Optional(json)) { $0?[$1] }
    }

    private static func keys(_ json: JSONTree?) -> [String] { json?.members?.map(\.key) ?? [] }

    @Test func `a full summary fits the schema`() throws {
        #expect(try Self.faults(SummaryDocument.bytes(ReportFixture.full())) == [])
    }

    @Test func `a checkpoint of an empty run fits the schema`() throws {
        var run = ReportFixture.run
        (run.endedAtSeconds, run.plannedSeconds, run.host.memoryBytes) = (nil, nil, nil)
        let report = RunReport(run: run, snapshot: ReportFixture.snapshot(gates: ["reply.p99 < 2s", "messages.lost == 0"]))
        #expect(try Self.faults(SummaryDocument.bytes(report)) == [])
        let json = SummaryDocument.json(report)
        #expect(json["verdict"] == .text("incomplete"))
        #expect(json["exit_code"] == .null)
    }

    @Test(arguments: [
        ("\"verdict\": \"fail\"", "\"verdict\": \"good\"", "$.verdict: good is not in the list"),
        ("\"exit_code\": 99", "\"exit\": 99", "$: 'exit' is not allowed"),
        ("\"exit_code\": 99", "\"exit\": 99", "$: 'exit_code' is missing"),
        ("\"dials\": 10", "\"dials\": 10.5", "$.counts.dials: 10.5 is no [\"integer\", \"null\"]"),
        ("\"is_equal\": false", "\"is_equal\": 0", "$.reconciliation[0].is_equal: 0 is no [\"boolean\"]"),
        ("\"refused\": 1", "\"refused\": true", "$.by_label.dial_failures.refused: 1 is no [\"integer\"]"),
        ("\"devices_lost\": 4", "\"devices_lost\": -4", "$.outages[0].devices_lost: -4 is below 0"),
        ("\"recovery\": {", "\"calm\": {", "$.distributions.reply: 'calm' is not allowed"),
    ])
    func `the schema refuses what is wrong`(from: String, to: String, fault: String) throws {
        let text = try String(decoding: SummaryDocument.bytes(ReportFixture.full()), as: UTF8.self)
        #expect(try Self.faults(Array(text.replacing(from, with: to).utf8)).contains(fault))
    }

    @Test func `counts have the dotted names of gates, and null where nothing was to be counted`() throws {
        let counts = try #require(SummaryDocument.json(ReportFixture.full())["counts"])
        #expect(Self.keys(counts) == Counter.allCases.map(\.name))
        #expect(counts["messages.sent"] == .integer(200))
        #expect(counts["messages.late"] == .integer(0))
        #expect(counts["messages.not_sent"] == .integer(3))
        #expect(counts["uploads.sent"] == .integer(0))
        #expect(counts["uploads.corrupt"] == .null)
        #expect(counts["media.corrupt"] == .null)
    }

    @Test func `corrupt media are counted when files went one way only`() {
        let snapshot = ReportFixture.snapshot { $0.count(.downloadsStarted) }
        let counts = SummaryDocument.json(ReportFixture.report(snapshot))["counts"]
        #expect(counts?["media.corrupt"] == .integer(0))
        #expect(counts?["uploads.corrupt"] == .null)
    }

    @Test func `distributions are by phase, with null for percentiles of too few samples`() throws {
        let all = try #require(SummaryDocument.json(ReportFixture.full())["distributions"])
        #expect(Self.keys(all) == Metric.allCases.map(\.name))
        #expect(all["upload"] == .object([]))
        #expect(Self.keys(all["reply"]) == ["steady", "recovery"])
        #expect(
            Self.member(all, "reply", "recovery")
                == .object([
                    "count": .unsigned(8), "min": .number(0.5), "mean": .number(0.5), "p50": .number(0.5), "p90": .null, "p95": .null,
                    "p99": .null, "p999": .null, "max": .number(0.5),
                ]))
        #expect(Self.member(all, "reply", "steady", "max") == .number(0.199))
        #expect(Self.member(all, "reply", "steady", "p999") == .null)
    }

    @Test func `a gate on a drift carries its trend, and fits the schema`() throws {
        var report = try ReportFixture.full()
        report.snapshot.gates = [ReportFixture.drift]
        #expect(try Self.faults(SummaryDocument.bytes(report)) == [])
        guard case .list(let gates) = SummaryDocument.json(report)["gates"] else {
            Issue.record("no list")
            return
        }
        #expect(
            gates.first?["drift"]
                == .object([
                    "slope": .number(0.0321), "low": .number(0.011), "high": .number(0.0532), "windows": .unsigned(40),
                    "window_seconds": .integer(64),
                ]))
        #expect(gates.first?["value"] == .number(0.0321) && gates.first?["count"] == .unsigned(40))
    }

    @Test func `the generator's numbers stand together`() throws {
        let snapshot = ReportFixture.snapshot(generator: .init(busiestLoopShare: 0.97, portsLeft: 12)) { shard in
            shard.count(.timersFired, by: 100)
            shard.count(.timersLate, by: 3)
        }
        let json = SummaryDocument.json(ReportFixture.report(snapshot))
        #expect(json["generator"]?["cpu_busiest_10s"] == .number(0.97) && json["generator"]?["ports_left"] == .integer(12))
        #expect(json["generator"]?["late_timers"] == .integer(3) && json["counts"]?["timers.late"] == .integer(3))
        #expect(json["counts"]?["timers.fired"] == .integer(100))
    }

    @Test func `gates, outages and rows carry what was found`() throws {
        let json = try SummaryDocument.json(ReportFixture.full())
        guard case .list(let gates) = json["gates"], case .list(let outages) = json["outages"] else {
            Issue.record("no lists")
            return
        }
        #expect(
            gates[1]
                == .object([
                    "expression": .text("messages.lost == 0"), "value": .number(1), "count": .unsigned(200), "phase": .null,
                    "verdict": .text("fail"), "reason": .text("is 1, must be == 0"), "drift": .null,
                ]))
        #expect(gates[0]["phase"] == .text("steady"))
        #expect(gates[0]["reason"] == .null)
        #expect(gates[2]["value"] == .null)
        #expect(gates[2]["verdict"] == .text("no_data"))
        #expect(outages[0]["closed_after_seconds"] == .number(3.5))
        #expect(outages[0]["ready_after_100_seconds"] == .null)
        #expect(outages[1]["closed_after_seconds"] == .null)
        #expect(json["target_totals"]?["per_device"]?["a"]?["lost"] == .list([.integer(1), .integer(2)]))
        #expect(
            json["reconciliation"]
                == .list([
                    .object(["name": .text("texts sent"), "ours": .integer(200), "theirs": .integer(199), "is_equal": .bool(false)])
                ]))
        #expect(Self.member(json, "generator", "loop_lag", "steady", "max") == .number(0.0015))
        #expect(Self.member(json, "by_label", "dial_failures") == .object(["refused": .integer(1)]))
    }

    @Test func `a JSON file is indented and keeps its order`() {
        let tree = JSONTree.object([
            "b": .list([.integer(-1), .bool(true)]), "a": .object(["x": .text("tab\t\"\u{1}é")]), "empty": .list([]), "none": .object([]),
            "nan": .number(.nan), "half": .number(0.5),
        ])
        let expected = """
            {
              "b": [
                -1,
                true
              ],
              "a": {
                "x": "tab\\t\\"\\u0001é"
              },
              "empty": [],
              "none": {},
              "nan": null,
              "half": 0.5
            }

            """
        #expect(String(decoding: tree.prettyBytes, as: UTF8.self) == expected)
    }

    @Test func `embedded JSON keeps its order, its numbers and its texts`() throws {
        let line = #"{"z":{"y":[1,2.5,-3e2,"\u00e9\n",null,true,{}]},"a":9007199254740993}"#
        let tree = try JSONTree.object(reading: Array(line.utf8))
        #expect(
            tree
                == .object([
                    "z": .object([
                        "y": .list([.integer(1), .number(2.5), .number(-300), .text("é\n"), .null, .bool(true), .object([])])
                    ]), "a": .integer(9_007_199_254_740_993),
                ]))
    }
}
