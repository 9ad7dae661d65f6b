import StentorBase
import StentorMetrics
import TestSupport
import Testing

/// What Prometheus knows of a run, held against the run's own summary.
struct ExportJudge {
    let stack: PrometheusStack
    /// Matchers that only this run's series have, for instance `site="a"`.
    let selector: String

    // The run's target may be gone, and an instant query would find nothing.
    private func last(_ family: String, _ more: String = "") -> String { "last_over_time(\(family){\(selector)\(more)}[10m])" }

    /// Waits until Prometheus has the end of the run, and compares all that both have.
    func expectSummary(of run: StentorRun, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let runID = try #require(run.summary["run", "run_id"].text, sourceLocation: sourceLocation)
        let verdict = try #require(run.summary["verdict"].text, sourceLocation: sourceLocation)
        let end = "\(last("stentor_verdict", ",verdict=\"\(verdict)\"")) == 1 and on() \(last("stentor_run_info", ",run_id=\"\(runID)\""))"
        _ = try await eventually("the run's end in Prometheus", within: .seconds(60)) {
            try await stack.query(end).isEmpty ? nil : true
        }
        let finished = try await stack.query(last("stentor_run_finished_timestamp_seconds"))
        #expect(finished.count == 1 && finished[0] > 1.7e9, "\(finished)", sourceLocation: sourceLocation)
        let rows = try await stack.series(last("", ",__name__=~\"stentor_.+\""))
        try expectCounts(run, rows, sourceLocation)
        try await expectQuantiles(run, rows, sourceLocation)
    }

    private func expectCounts(_ run: StentorRun, _ rows: [PrometheusStack.Series], _ sourceLocation: SourceLocation) throws {
        for counter in Counter.allCases {
            let values = rows.filter { $0.name == counter.prometheusName }.map(\.value)
            #expect(values == [Double(try run.count(counter.name))], "\(counter.name)", sourceLocation: sourceLocation)
        }
        for family in LabelFamily.allCases {
            for (label, count) in run.summary["by_label", family.name].members {
                let values = rows.filter { $0.name == family.prometheusName && $0.labels[family.label] == label }.map(\.value)
                #expect(values == [Double(count.count ?? -1)], "\(family.name) \(label)", sourceLocation: sourceLocation)
            }
        }
    }

    /// Counts are equal, and quantiles at most one bucket away from the percentiles.
    private func expectQuantiles(_ run: StentorRun, _ rows: [PrometheusStack.Series], _ sourceLocation: SourceLocation) async throws {
        var compared = 0
        for metric in Metric.allCases {
            let bounds = metric.bounds.map { metric.unit.shown(Double($0)) }
            func bucket(_ value: Double) -> Int { bounds.firstIndex { value <= $0 } ?? bounds.count }
            let phases = run.summary["distributions", metric.name].members
            for (key, quantile) in [("p50", 0.5), ("p99", 0.99)] where phases.values.contains(where: { $0[key].number != nil }) {
                let found = try await stack.series("histogram_quantile(\(quantile), \(last(metric.prometheusName + "_bucket")))")
                for (phase, numbers) in phases {
                    let count = rows.first { $0.name == metric.prometheusName + "_count" && $0.labels["phase"] == phase }?.value
                    #expect(count == numbers["count"].number, "\(metric.name) \(phase)", sourceLocation: sourceLocation)
                    guard let percentile = numbers[key].number else { continue }
                    let value = try #require(found.first { $0.labels["phase"] == phase }?.value, "\(metric.name) \(phase)")
                    #expect(abs(bucket(value) - bucket(percentile)) <= 1, "\(metric.name) \(phase) \(key)", sourceLocation: sourceLocation)
                    compared += 1
                }
            }
        }
        #expect(compared > 5, sourceLocation: sourceLocation)
    }
}
