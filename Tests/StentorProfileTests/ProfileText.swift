import StentorBase
import StentorDialect
import Testing

@testable import StentorProfile

/// A profile text that decodes, with lines replaced; further lines begin at line 8.
func profileText(
    version: String = "version: 1", name: String = "name: test", target: String = "target: {url: ws://127.0.0.1:8787/ws}",
    devices: String = "devices: {count: 10}", load: String = "load:\n  - {ramp: 10, over: 10s}\n  - {hold: 1m}", _ more: String = ""
) -> String {
    [version, name, target, devices, load, more].joined(separator: "\n") + "\n"
}

/// Decodes a text as the file `p.yaml`.
func decoded(
    _ text: String, _ options: DecodingOptions = DecodingOptions(dialects: Dialect.catalogue), file: String = "p.yaml"
) throws(UserFailures) -> Profile {
    try Profile.decode(Array(text.utf8), file: file, options: options)
}

/// The faults of a text, each as `place: message (hint)`; empty when it decodes.
func faults(_ text: String, _ options: DecodingOptions = DecodingOptions(dialects: Dialect.catalogue), file: String = "p.yaml") -> [String]
{
    do throws(UserFailures) {
        _ = try decoded(text, options, file: file)
        return []
    } catch {
        return error.all.map { "\($0.place): \($0.message)" + ($0.hint.isEmpty ? "" : " (\($0.hint))") }
    }
}

/// Options that set values over the profile's, each as `path=value`.
func setting(_ overrides: String...) throws(UserFailure) -> DecodingOptions {
    var options = DecodingOptions(dialects: Dialect.catalogue)
    for override in overrides { options.overrides.append(try ProfileOverride.parse(override)) }
    return options
}

/// Options with these environment variables.
func environment(_ variables: [String: String]) -> DecodingOptions {
    DecodingOptions(dialects: Dialect.catalogue, environment: { variables[$0] })
}

/// A text with faults, and the faults as ``faults(_:_:file:)`` words them.
struct FaultCase: CustomTestStringConvertible {
    let text: String
    let faults: [String]

    init(_ text: String, _ faults: [String]) {
        self.text = text
        self.faults = faults
    }

    var testDescription: String { text }
}

/// The keys of a profile, as hints list them.
let rootKeys =
    "version, name, seed, target, rooms, echo, devices, load, connect_rate, behaviour, reconnect, faults, drills, gates, push, output"
/// The keys of `target`, as hints list them.
let targetKeys =
    "url, dialect, token, token_file, tokens_file, tls, headers, connect_within, ready_within, source_addresses, allow_host, "
    + "gateway, message_limit"
