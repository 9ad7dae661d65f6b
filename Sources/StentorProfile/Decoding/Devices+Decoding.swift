import StentorBase

extension Profile.Devices {
    init?(fields: Fields) {
        let count = fields.required("count", .integer(1...1_000_000))
        let id = fields.value("id", default: "device-{index}", .idPattern)
        let name = fields.value("name", default: "Stentor", .text)
        let platform = fields.value("platform", default: "ios", .text)
        let appVersion = fields.value("app_version", default: "1.0.0", .text)
        let cohorts = Self.cohorts(in: fields, platform: platform, appVersion: appVersion)
        guard let count, let id, let name, let platform, let appVersion else { return nil }
        (self.count, self.id, self.name, self.platform, self.appVersion) = (count, id, name, platform, appVersion)
        self.cohorts = cohorts
    }

    private static func cohorts(in fields: Fields, platform: String?, appVersion: String?) -> [Profile.Cohort] {
        var names: Set<String> = []
        let sections = fields.sections("cohorts")
        let cohorts = sections.compactMap { section -> Profile.Cohort? in
            let name = section.required("name", .name)
            let share = section.required("share", .someShare)
            let ownPlatform = section.optional("platform", .text)
            let ownVersion = section.optional("app_version", .text)
            if let name, !names.insert(name).inserted { section.fault("cohort '\(name)' is given twice", at: "name") }
            guard let name, let share, let platform = ownPlatform ?? platform, let version = ownVersion ?? appVersion else { return nil }
            return Profile.Cohort(name: name, share: share, platform: platform, appVersion: version)
        }
        if !sections.isEmpty, cohorts.count == fields.list("cohorts").count {
            fields.checkSum(of: cohorts.map(\.share), at: "cohorts", what: "the shares of the cohorts")
        }
        return cohorts
    }
}

extension Fields {
    /// Adds a fault when shares do not add up to the whole.
    func checkSum(of shares: [Double], at key: String?, what: String) {
        let sum = shares.reduce(0, +)
        guard abs(sum - 1) > 1e-9 else { return }
        fault("\(what) add up to \(Self.percent(sum)), not 100%", at: key)
    }

    private static func percent(_ share: Double) -> String {
        var text = Quantity.fixed(share * 100, decimals: 6)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text + "%"
    }
}

extension Reader where Value == Profile.IDPattern {
    fileprivate static var idPattern: Reader<Profile.IDPattern> {
        Reader<String>.text.then { text, scalar throws(Complaint) in
            guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "=") }), text.utf8.count <= 128 else {
                throw Complaint("\(scalar.shown) makes no device ids", hint: "up to 128 printable ASCII characters without blank and '='")
            }
            let wanted = "it needs {index} or {uuid}, once"
            let parts = text.split(separator: "{", omittingEmptySubsequences: false)
            guard parts.count == 2, let end = parts[1].firstIndex(of: "}"), !parts[0].contains("}") else {
                throw Complaint("\(scalar.shown) makes no unique device ids", hint: wanted)
            }
            let suffix = parts[1][parts[1].index(after: end)...]
            guard let variable = Profile.IDPattern.Variable(rawValue: String(parts[1][..<end])), !suffix.contains("}") else {
                throw Complaint("\(scalar.shown) makes no unique device ids", hint: wanted)
            }
            return Profile.IDPattern(prefix: String(parts[0]), variable: variable, suffix: String(suffix))
        }
    }
}
