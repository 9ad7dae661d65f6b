import StentorBase
import StentorMetrics
import StentorStatistics

extension Comparison {
    /// Compares two groups of runs; the same runs give the same result.
    ///
    /// - Parameters:
    ///   - base: At least one run.
    ///   - candidate: At least one run.
    ///   - isCalibration: Whether both are one version, so that every difference is noise.
    ///   - replicates: How often blocks are drawn again.
    public init(
        base: [RunMeasurements], candidate: [RunMeasurements], isCalibration: Bool = false,
        replicates: Int = BlockBootstrap.defaultReplicates
    ) {
        var drafts = ComparedShare.all.compactMap { ShareDrafts(share: $0).draft(base, candidate) }
        for (stream, key) in Self.keys.enumerated() {
            let rows = DistributionDrafts(
                metric: key.metric, phase: key.phase, seed: Self.seed(base + candidate, stream), replicates: replicates)
            drafts += rows.drafts(base, candidate)
        }
        let (outages, unmatched) = OutageDrafts.matched(base, candidate)
        for outage in outages { drafts += outage.drafts }
        numbers = NumberDraft.judge(drafts)
        self.outages = outages.map(\.comparison)
        (self.base, self.candidate, self.isCalibration) = (base.map(\.identity), candidate.map(\.identity), isCalibration)
        unlike = LikeForLike.check(base.map(\.identity), candidate.map(\.identity))
        remarks = Self.remarks(base, candidate, hasOutages: !outages.isEmpty, unmatched)
    }

    /// What the draws of the n-th of ``keys`` begin with: the same runs give the same.
    static func seed(_ runs: [RunMeasurements], _ stream: Int) -> UInt64 {
        SplitMix64.mixed(SplitMix64.hash(runs.map(\.identity.runID).joined(separator: "\n")) &+ UInt64(stream))
    }

    /// What is compared of distributions: the steady phase of all, and of dials the ramp, in which most of them are made.
    static let keys: [RunMeasurements.SeriesKey] = {
        let ofDials: Set<Metric> = [.connect, .connectDNS, .connectTCP, .connectTLS, .connectUpgrade, .ready, .usable]
        return Metric.allCases.flatMap { metric in
            ofDials.contains(metric) ? [.init(metric, .ramp), .init(metric, .steady)] : [.init(metric, .steady)]
        }
    }()

    private static func remarks(
        _ base: [RunMeasurements], _ candidate: [RunMeasurements], hasOutages: Bool, _ unmatched: [String]
    ) -> [String] {
        var remarks: [String] = []
        if base.count == 1, candidate.count == 1 {
            remarks.append(
                "one run a side: the intervals know chance within these runs, not how much runs of one version differ; several runs a side tell"
                    + (hasOutages ? ", above all of an outage, which all devices of a run share" : ""))
        }
        let versions = Set((base + candidate).map(\.identity.version))
        if versions.count > 1 {
            remarks.append("the runs were made by different versions of stentor: \(versions.sorted().joined(separator: ", "))")
        }
        if !unmatched.isEmpty {
            remarks.append("not on both sides, or without a device, and not compared: \(unmatched.joined(separator: ", "))")
        }
        for run in base + candidate { remarks += run.remarks.map { "\(run.identity.path): \($0)" } }
        return remarks
    }
}
