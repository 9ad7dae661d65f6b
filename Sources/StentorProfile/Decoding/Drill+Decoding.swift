import StentorBase

extension Profile.Drill {
    static func all(in fields: Fields, loadDuration: Duration?) -> [Profile.Drill] {
        var names: Set<String> = []
        return fields.sections("drills").enumerated().compactMap { index, section in
            let at = section.required("at", .drillTime)
            let name = section.value("name", default: "drill \(index + 1)", .title)
            let action = action(in: section)
            if let name, !names.insert(name).inserted { section.fault("drill '\(shortened(name))' is given twice", at: "name") }
            let time = at.flatMap { $0.resolved(in: section, loadDuration: loadDuration) }
            guard let time, let name, let action else { return nil }
            return Profile.Drill(at: time, name: name, action: action)
        }
    }

    private static func action(in fields: Fields) -> Profile.DrillAction? {
        let disconnect = fields.section("disconnect").flatMap(Profile.Disconnect.init(fields:))
        let command = Profile.Command(fields: fields)
        let restart = fields.section("restart_embedded").flatMap(Profile.Restart.init(fields:))
        let given = ["disconnect", "command", "restart_embedded"].filter(fields.has)
        guard given.count == 1 else {
            if given.isEmpty {
                fields.fault("a drill needs 'disconnect', 'command' or 'restart_embedded'")
            } else {
                fields.fault("'\(given[0])' and '\(given[1])' exclude each other", at: given[1], hint: "make them two drills")
            }
            return nil
        }
        return disconnect.map { .disconnect($0) } ?? command.map { .command($0) } ?? restart.map { .restartEmbedded($0) }
    }
}

extension Profile.Disconnect {
    fileprivate init?(fields: Fields) {
        let share = fields.value("share", default: "100%", .someShare)
        let within = fields.value("within", default: "0s", .durationOrZero)
        let how: Profile.Cut? = fields.value("how", default: "reset", .choice())
        guard let share, let within, let how else { return nil }
        (self.share, self.within, self.how) = (share, within, how)
    }
}

extension Profile.Command {
    fileprivate init?(fields: Fields) {
        let entries = fields.list("command")
        let words = entries.compactMap { fields.decoding.read($0.node, at: $0.path, .word) }
        let isCommand = fields.has("command")
        let within = isCommand ? fields.value("within", default: "60s", .duration) : fields.optional("within", .duration)
        if fields.has("within"), !isCommand { fields.fault("'within' needs 'command'", at: "within") }
        guard isCommand else { return nil }
        if fields.node("command")?.content == .list([]) {
            fields.fault("the command is empty", at: "command", hint: "write the program and its arguments: [kubectl, rollout, restart]")
        }
        guard !words.isEmpty, words.count == entries.count, let within else { return nil }
        (self.words, self.within) = (words, within)
    }
}

extension Profile.Restart {
    fileprivate init?(fields: Fields) {
        let how: Profile.RestartStyle? = fields.value("how", default: "kill", .choice())
        let down = fields.value("down", default: "3s", .durationOrZero)
        guard let how, let down else { return nil }
        (self.how, self.down) = (how, down)
    }
}

extension Reader where Value == String {
    /// A word of a command; what comes from the environment may be a secret and is not shown.
    fileprivate static var word: Reader<String> {
        text.displayed { $0.usesEnvironment ? "[redacted]" : $0.text }
    }
}
