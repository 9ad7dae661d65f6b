import StentorReport
import StentorTruth
import Testing

struct TruthTests {
    /// Of 12 comparisons 9 intervals or fewer hold the truth with a chance below 0.3 % when each does with 95 %.
    @Test(arguments: 0..<TruthCheck.standard.count - 1) func `intervals hold the truth, and noise has no verdict`(index: Int) {
        var check = TruthCheck.standard[index]
        check.run(12, replicates: 100, truthRuns: 40)
        #expect(check.comparisons == 12)
        #expect(check.rows.count >= 7)
        for row in check.rows {
            #expect(row.count == 12, "\(row.name)")
            #expect(row.covered >= 9, "\(check.name): \(row.name) covers \(row.covered) of 12")
        }
        if check.isNull { #expect(check.comparisonsWithVerdict <= 2, "\(check.text)") }
    }

    @Test func `a known difference is seen, in its direction`() {
        var check = TruthCheck.standard[0]
        check.run(4, replicates: 100, truthRuns: 4)
        let seen = check.rows.filter { $0.worse == 4 }.map(\.name)
        #expect(
            Set(seen).isSuperset(of: ["reply.p50", "messages.lost", "messages.answered_rate", "reconnect.mean of restart"]), "\(check.text)"
        )
        #expect(check.rows.allSatisfy { $0.better == 0 })
    }

    @Test func `the same seed gives the same run and the same comparison`() {
        let gateway = ModelGateway()
        func document() -> [UInt8] {
            let comparison = Comparison(
                base: [gateway.run(seed: 1, name: "a")], candidate: [gateway.run(seed: 2, name: "b")], replicates: 100)
            return ComparisonDocument.bytes(comparison)
        }
        #expect(document() == document())
    }
}
