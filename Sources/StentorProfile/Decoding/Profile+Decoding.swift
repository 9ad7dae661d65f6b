import Glibc
import StentorBase

extension Profile {
    /// Decodes a profile: reads the YAML, sets the overrides over it, fills in environment variables, and checks everything.
    ///
    /// Nothing is dialled, resolved or read besides `bytes`; files that the profile names are left to the caller.
    ///
    /// - Parameters:
    ///   - bytes: The text, UTF-8, at most 1 MiB.
    ///   - file: Name of the file, as faults show it; paths in the profile are relative to its folder.
    ///   - options: Dialects, overrides, allowed hosts and the environment.
    /// - Throws: All faults at once, in source order, those of flags last; each of cause `profile` and with a place. No fault holds a secret.
    public static func decode(_ bytes: [UInt8], file: String, options: DecodingOptions) throws(UserFailures) -> Profile {
        let decoding = Decoding(file: file, options: options)
        let root = YAMLReader.read(bytes, faults: decoding.faults)
        let profile = root.flatMap { root in
            Fields(prepared(root, decoding), path: [], keys: .root(options.dialects), decoding: decoding).flatMap(Profile.init(fields:))
        }
        if let failures = decoding.faults.failures() { throw failures }
        guard let profile else { preconditionFailure("Profile: no value and no fault") }
        return profile
    }

    /// Reads and decodes the profile in a file; see ``decode(_:file:options:)``.
    ///
    /// Blocks while it reads.
    ///
    /// - Throws: As `decode`; a file that cannot be read is a fault whose place is its path.
    public static func load(path: String, options: DecodingOptions) throws(UserFailures) -> Profile {
        try decode(try contents(of: path), file: path, options: options)
    }

    private static func contents(of path: String) throws(UserFailures) -> [UInt8] {
        guard let file = fopen(path, "re") else { throw unreadable(path) }
        defer { fclose(file) }
        // One byte more than allowed, so that the decoder sees that it is too large.
        var bytes = [UInt8](repeating: 0, count: YAMLReader.sizeLimit + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw unreadable(path) }
        return Array(bytes.prefix(count))
    }

    private static func unreadable(_ path: String) -> UserFailures {
        let reason = String(cString: strerror(errno))
        return UserFailures([UserFailure(.profile, "cannot read the profile: \(reason)", place: path)])
    }

    // Overrides come before the environment: a variable that a flag makes needless need not be set.
    private static func prepared(_ original: YAMLNode, _ decoding: Decoding) -> YAMLNode {
        let quiet = Environment(lookup: decoding.options.environment, faults: FaultList(file: ""))
        let overrides = Overrides(faults: decoding.faults, dialects: decoding.options.dialects)
        let forms = ShortForms(faults: decoding.faults)
        var root = original
        for override in decoding.options.overrides {
            switch override.goal {
            case .path(let path):
                root = overrides.setting(path, of: override, in: root)
            case .longestHold:
                guard let path = forms.pathOfLongestHold(in: quiet.expanded(root), flag: override.flag) else { continue }
                root = overrides.setting(path, of: override, in: root)
            }
        }
        let expanded = Environment(lookup: decoding.options.environment, faults: decoding.faults).expanded(root)
        return forms.adjusted(expanded, original: quiet.expanded(original))
    }
}

extension Profile {
    fileprivate init?(fields: Fields) {
        let version = fields.required("version", .version)
        let name = fields.required("name", .name)
        let seed = fields.value("seed", default: String(SplitMix64.hash(name ?? "")), .integer(UInt64.min...UInt64.max))
        let target = fields.section("target").flatMap(Target.init(fields:))
        let dialect = target.flatMap { fields.decoding.options.dialects[$0.dialect] }
        let settingsRules = DialectRules(fields: fields, dialect: dialect)
        let settings = settingsRules.settings
        let devices = fields.section("devices").flatMap(Devices.init(fields:))
        if let devices { settingsRules.check(devices: devices.count) }
        let load = Load(fields: fields, deviceCount: devices?.count)
        let rate = fields.value("connect_rate", default: "200/s", .rate)
        let behaviour = fields.section("behaviour", orEmpty: true).flatMap { Behaviour(fields: $0, dialect: dialect) }
        let reconnect = fields.section("reconnect", orEmpty: true).flatMap(Reconnect.init(fields:))
        let faults = Faults(fields: fields)
        let drills = Drill.all(in: fields, loadDuration: load?.totalDuration)
        if let target, let behaviour {
            CutRules(target: target, behaviour: behaviour).check(faults, drills, in: fields)
        }
        let gates = GateRule.all(in: fields)
        let push = fields.section("push").flatMap(Push.init(fields:))
        let output = fields.section("output", orEmpty: true).flatMap(Output.init(fields:))
        guard let version, let name, let seed, let target, let devices, let load, let rate, let behaviour, let reconnect, let output else {
            return nil
        }
        (self.version, self.name, self.seed, self.target, self.devices, self.load) = (version, name, seed, target, devices, load)
        (connectRatePerSecond, self.behaviour, self.reconnect, dialectSettings) = (rate, behaviour, reconnect, settings)
        (self.faults, self.drills, self.gates, self.push, self.output) = (faults, drills, gates, push, output)
        let resolved = fields.decoding.resolved
        origins = resolved.map { Origin(path: $0.path.text, value: $0.value, source: $0.source) }
        resolvedYAML = ResolvedText(resolved).text
        digest = Self.digest(of: resolved)
    }

    private static func digest(of resolved: [ResolvedValue]) -> String {
        let leftOut: Set<String> = [
            "url", "gateway", "token", "token_file", "tokens_file", "tls", "headers", "source_addresses", "allow_host",
        ]
        let kept = resolved.filter { value in
            guard case .key(let section) = value.path[0] else { return true }
            guard section == "target", case .key(let key) = value.path[1] else { return section != "push" && section != "output" }
            return !leftOut.contains(key)
        }
        let digits = String(SplitMix64.hash(ResolvedText(kept).text), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Profile.Output {
    fileprivate init?(fields: Fields) {
        guard let directory = fields.value("dir", default: "runs", .text) else { return nil }
        self.directory = directory
    }
}

extension Reader where Value == Int {
    fileprivate static var version: Reader<Int> {
        integer(Int.min...Int.max).then { version, scalar throws(Complaint) in
            guard version == 1 else {
                throw Complaint("version \(scalar.shown) is not known", hint: "this version of Stentor reads version 1")
            }
            return version
        }
    }
}
