import StentorBase

/// The words of `reconnect.policy`.
private enum PolicyName: String, CaseIterable {
    case dialect, fixed, exponential
}

extension Profile.Reconnect {
    init?(fields: Fields) {
        let name: PolicyName? = fields.value("policy", default: "dialect", .choice())
        let base = fields.optional("base", .duration)
        let cap = fields.optional("cap", .duration)
        attempts = fields.optional("attempts", .integer(0...1_000_000))
        let jitter: Profile.Jitter? = fields.value("jitter", default: "none", .choice())
        let policy = name.flatMap { Self.policy($0, base: base, cap: cap, in: fields) }
        guard let policy, let jitter else { return nil }
        (self.policy, self.jitter) = (policy, jitter)
    }

    private static func policy(_ name: PolicyName, base: Duration?, cap: Duration?, in fields: Fields) -> Profile.ReconnectPolicy? {
        let allowed: [String] =
            switch name {
            case .dialect: []
            case .fixed: ["base"]
            case .exponential: ["base", "cap"]
            }
        for key in ["base", "cap"] where fields.has(key) && !allowed.contains(key) {
            fields.fault(
                "'\(key)' has no meaning with 'policy: \(name.rawValue)'", at: key,
                hint: name == .dialect ? "the dialect sets the waits; choose 'policy: exponential' to set them here" : "remove it")
        }
        for key in allowed where !fields.has(key) {
            fields.fault("missing key '\(key)' in '\(fields.path.text)'", at: "policy", hint: "'policy: \(name.rawValue)' needs it")
        }
        switch name {
        case .dialect: return .dialect
        case .fixed: return base.map { .fixed(base: $0) }
        case .exponential:
            guard let base, let cap else { return nil }
            if cap < base { fields.fault("'cap' is shorter than 'base'", at: "cap") }
            return .exponential(base: base, cap: cap)
        }
    }
}

/// When a drill begins, as a profile writes it.
enum DrillTime {
    case after(Duration)
    case share(Double)

    func resolved(in fields: Fields, loadDuration: Duration?) -> Duration? {
        guard let loadDuration else { return nil }
        switch self {
        case .share(let share):
            return .nanoseconds(max(1, Int64((Double(loadDuration.wholeNanoseconds) * share).rounded())))
        case .after(let time):
            guard time < loadDuration else {
                fields.fault(
                    "the drill begins after the load has ended (\(loadDuration.profileText))", at: "at",
                    hint: "write it as a share of the load, such as 50%, to let it move with the load")
                return nil
            }
            return time
        }
    }
}

extension Reader where Value == DrillTime {
    static var drillTime: Reader<DrillTime> {
        Reader { scalar throws(Complaint) in
            guard scalar.text.hasSuffix("%") else { return .after(try Reader<Duration>.duration.read(scalar)) }
            let share = try Reader<Double>.someShare.read(scalar)
            guard share < 1 else { throw Complaint("\(scalar.shown) is the end of the load", hint: "it must be less than 100%") }
            return .share(share)
        }
    }
}

extension Reader where Value == String {
    static var title: Reader<String> {
        text.then { text, scalar throws(Complaint) in
            guard text.count <= 64 else { throw Complaint("\(scalar.shown) is too long", hint: "at most 64 characters") }
            return text
        }
    }
}
