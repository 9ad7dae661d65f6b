import StentorBase

extension Profile.Behaviour {
    /// Reads what devices of a dialect do; nil: of one that is not known, which is a fault by itself.
    init?(fields: Fields, dialect: DialectShape?) {
        text = fields.section("text").flatMap { Profile.Text(fields: $0, dialect: dialect) }
        photo = fields.section("photo").flatMap(Profile.Photo.init(fields:))
        prompts = fields.section("prompts").flatMap(Profile.Prompts.init(fields:))
        ping = fields.section("ping").flatMap(Profile.Ping.init(fields:))
        away = fields.section("away").flatMap(Profile.Away.init(fields:))
        guard let dialect else { return }
        for key in fields.keys.all.map(\.name) where fields.has(key) && !dialect.behaviours.contains(key) {
            let known = fields.keys.all.map(\.name).filter(dialect.behaviours.contains)
            fields.fault("the dialect \(dialect.name) has no '\(key)'", at: key, hint: "it has: \(known.joined(separator: ", "))")
        }
    }
}

extension Profile.Text {
    fileprivate init?(fields: Fields, dialect: DialectShape?) {
        let every = fields.required("every", .duration)
        let spacing: Profile.Spacing? = fields.value("spacing", default: "even", .choice())
        let size = dialect?.textSize ?? .marked
        let body = fields.value("body", default: "20B..400B", .byteRange(size.least, size.most, why: size.why))
        let replyWithin = fields.value("reply_within", default: "60s", .duration)
        let correlation: Profile.Correlation? = fields.value("correlate", default: "marker", .choice())
        if correlation == .turn, let dialect, !dialect.hasTurns {
            fields.fault("the dialect \(dialect.name) has no turns", at: "correlate", hint: "write 'correlate: marker', or leave it out")
        }
        guard let every, let spacing, let body, let replyWithin, let correlation else { return nil }
        (self.every, self.spacing, bodyBytes) = (every, spacing, body)
        (self.replyWithin, self.correlation) = (replyWithin, correlation)
    }
}

extension Profile.Photo {
    fileprivate init?(fields: Fields) {
        let every = fields.required("every", .duration)
        let spacing: Profile.Spacing? = fields.value("spacing", default: "even", .choice())
        let size = fields.value("size", default: "1MiB..3MiB", .byteRange("1B", "256MiB"))
        let replyWithin = fields.value("reply_within", default: "2m", .duration)
        guard let every, let spacing, let size, let replyWithin else { return nil }
        (self.every, self.spacing, sizeBytes, self.replyWithin) = (every, spacing, size, replyWithin)
    }
}

extension Profile.Prompts {
    fileprivate init?(fields: Fields) {
        let think = fields.value("think", default: "1s..5s", .durationRange)
        let answers = fields.section("answers", orEmpty: true).flatMap(Profile.Answers.init(fields:))
        guard let think, let answers else { return nil }
        (self.think, self.answers) = (think, answers)
    }
}

extension Profile.Answers {
    fileprivate init?(fields: Fields) {
        let isGiven = ["approve", "deny", "other", "ignore"].contains(where: fields.has)
        let approve = fields.value("approve", default: isGiven ? "0%" : "100%", .share)
        let deny = fields.value("deny", default: "0%", .share)
        let other = fields.value("other", default: "0%", .share)
        let ignore = fields.value("ignore", default: "0%", .share)
        guard let approve, let deny, let other, let ignore else { return nil }
        fields.checkSum(of: [approve, deny, other, ignore], at: nil, what: "the shares of the answers")
        (self.approve, self.deny, self.other, self.ignore) = (approve, deny, other, ignore)
    }
}

extension Profile.Ping {
    fileprivate init?(fields: Fields) {
        let every = fields.required("every", .duration)
        let pongWithin = fields.value("pong_within", default: "10s", .duration)
        guard let every, let pongWithin else { return nil }
        (self.every, self.pongWithin) = (every, pongWithin)
    }
}

extension Profile.Away {
    fileprivate init?(fields: Fields) {
        let every = fields.required("every", .duration)
        let length = fields.required("for", .someDurationRange)
        let how: Profile.Absence? = fields.value("how", default: "suspend", .choice())
        guard let every, let length, let how else { return nil }
        (self.every, self.length, self.how) = (every, length, how)
    }
}

extension Reader where Value == ClosedRange<Duration> {
    /// A duration or a range of durations of more than 0.
    fileprivate static var someDurationRange: Reader<ClosedRange<Duration>> {
        durationRange.then { range, scalar throws(Complaint) in
            guard range.lowerBound > .zero else { throw Complaint("\(scalar.shown) is too short", hint: "it must be more than 0s") }
            return range
        }
    }
}
