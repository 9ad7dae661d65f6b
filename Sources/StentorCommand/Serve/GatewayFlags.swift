import StentorBase
import StentorGateway

/// The gateway's options as flags of `stentor serve` and as fields of a profile's `target.gateway`.
enum GatewayFlags {
    /// The environment variable that holds the token when no flag does: arguments can be read by every user of a machine.
    static let tokenVariable = "STENTOR_GATEWAY_TOKEN"

    private static let ownOfCommand: Set<String> = ["listen"]

    /// The flags, two for each yes-or-no option.
    static var specs: [OptionSpec] {
        GatewayOption.all.filter { !ownOfCommand.contains($0.name) }.flatMap { option -> [OptionSpec] in
            var help = option.help.prefix(1).uppercased() + option.help.dropFirst() + "."
            if option.dialects.count < GatewayKind.all.count { help += " Only \(option.dialects.joined(separator: ", "))." }
            if option.name == "token" { help += " \(tokenVariable) in the environment does the same and cannot be seen by others." }
            switch option.kind {
            case .flag(let isOn):
                return [
                    OptionSpec(switch: "--\(option.name)", help: help + (isOn ? " This is the default." : "")),
                    OptionSpec(switch: "--no-\(option.name)", help: "Turns --\(option.name) off\(isOn ? "" : ", which is the default")."),
                ]
            case .value(let placeholder): return [OptionSpec("--\(option.name)", placeholder, .text, help: help)]
            case .repeated(let placeholder):
                return [OptionSpec("--\(option.name)", placeholder, .text, isRepeatable: true, help: help + " Repeatable.")]
            }
        }
    }

    /// Sets what a command line gave.
    ///
    /// - Throws: ``UserFailures`` with each value that is wrong, and each option that gateways of this kind do not have.
    static func apply(_ given: [CommandArguments.Given], of kind: GatewayKind, to options: inout GatewayOptions) throws(UserFailures) {
        var faults: [UserFailure] = []
        for item in given {
            let name = String(item.name.dropFirst(2))
            do throws(UserFailure) {
                if let option = kind.option(name) {
                    try option.apply(item.value ?? "true", to: &options)
                } else if name.hasPrefix("no-"), let option = kind.option(String(name.dropFirst(3))) {
                    try option.apply("false", to: &options)
                } else {
                    throw UserFailure(
                        .arguments, "the \(kind.dialect) gateway has no such option", place: "--\(name)",
                        hint: "'stentor serve --help' names the dialects of each option")
                }
            } catch {
                faults.append(error)
            }
        }
        if !faults.isEmpty { throw UserFailures(faults) }
    }
}
