import StentorBase
import StentorProfile

/// `stentor plan`: what a run would do and need, without starting anything.
struct PlanCommand: Sendable {
    private let arguments: PlanArguments
    private let console: Console

    init(_ arguments: PlanArguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func carryOut() throws -> ExitCode {
        let profile = try Profile.load(path: arguments.profile, options: .given(arguments.profileArguments))
        if case .embedded = profile.target.endpoint {
            try EmbeddedGateway.check(profile.target.gateway, dialect: profile.target.dialect.rawValue)
        }
        let plan = RunPlan(profile, on: .current(for: profile.target))
        let text = arguments.printsJSON ? PlanDocument.text(plan) : PlanText.text(plan, columns: console.outputTraits.columns)
        guard console.writeResult(text) else { return .failure }
        // After the plan, so that it is the last thing that is read.
        let failures = plan.failures
        guard failures.isEmpty else { throw UserFailures(failures) }
        return .success
    }
}
