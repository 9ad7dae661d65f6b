import StentorBase
import StentorMetrics
import StentorWire

extension Profile.Push {
    init?(fields: Fields) {
        let url = fields.required("url", .pushURL)
        let every = fields.value("every", default: "15s", .duration(atLeast: .seconds(1), "at least 1s"))
        let job = fields.value("job", default: "stentor", .jobName)
        let pairs = fields.names("labels")
        labels = Self.labels(pairs, in: fields)
        group = Self.group(of: pairs.map(\.key), in: fields)
        let onFinish: Profile.OnFinish? = fields.value("on_finish", default: "keep", .choice())
        let isRequired = fields.value("required", default: "false", .boolean)
        credentials = Profile.PushCredentials(fields: fields)
        let timeout = fields.value("timeout", default: "5s", .duration(atLeast: .milliseconds(100), "at least 100ms"))
        let proxy: Profile.PushProxy? = fields.value("proxy", default: "none", .choice())
        caFile = fields.optional("ca_file", .path(in: fields.decoding))
        guard let url, let every, let job, let onFinish, let isRequired, let timeout, let proxy else { return nil }
        (self.url, self.every, self.job, self.onFinish, self.isRequired) = (url, every, job, onFinish, isRequired)
        (self.timeout, self.proxy) = (timeout, proxy)
    }

    private static func labels(_ pairs: [YAMLPair], in fields: Fields) -> [Profile.Label] {
        pairs.compactMap { pair in
            let decoding = fields.decoding
            let value = decoding.read(pair.value, at: fields.path + [.key("labels"), .key(pair.key)], .labelValue)
            if let refusal = labelRefusal(pair.key) {
                decoding.faults.add(refusal.message, at: pair.keyMark, hint: refusal.hint)
                return nil
            }
            return value.map { Profile.Label(name: pair.key, value: $0) }
        }
    }

    // Prometheus documentation, "Data model": label names.
    private static func labelRefusal(_ name: String) -> Complaint? {
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
            default: false
            }
        }
        guard isName, let first = name.utf8.first, !(0x30...0x39).contains(first) else {
            return Complaint("'\(shortened(name))' is no label name", hint: "letters, digits and '_', no digit first")
        }
        guard !name.hasPrefix("__"), !PrometheusText.reservedLabels.contains(name) else {
            return Complaint("label '\(name)' is reserved", hint: "choose another name")
        }
        return nil
    }

    private static func group(of known: [String], in fields: Fields) -> [String] {
        var seen: Set<String> = []
        return fields.list("group").compactMap { entry in
            guard let name = fields.decoding.read(entry.node, at: entry.path, .text) else { return nil }
            guard known.contains(name) else {
                fields.decoding.faults.add(
                    "'\(shortened(name))' is none of the labels", at: entry.node.mark, hint: Suggestion.hint(for: name, among: known))
                return nil
            }
            guard seen.insert(name).inserted else {
                fields.decoding.faults.add("label '\(name)' is given twice", at: entry.node.mark)
                return nil
            }
            return name
        }
    }
}

extension Profile.PushCredentials {
    fileprivate init(fields: Fields) {
        let username = fields.optional("username", .secret)
        let password = fields.optional("password", .secret)
        let bearer = fields.optional("bearer", .secret)
        let bearerFile = fields.optional("bearer_file", .path(in: fields.decoding))
        let (hasUsername, hasPassword) = (fields.has("username"), fields.has("password"))
        if hasUsername != hasPassword {
            let (given, other) = hasUsername ? ("username", "password") : ("password", "username")
            fields.fault("'\(given)' needs '\(other)'", at: given)
        }
        let ways = ["bearer", "bearer_file", hasUsername ? "username" : "password"].filter(fields.has)
        for extra in ways.dropFirst() {
            fields.fault("'\(ways[0])' and '\(extra)' exclude each other", at: extra, hint: "keep one of them")
        }
        if let bearer {
            self = .bearer(bearer)
        } else if let bearerFile {
            self = .bearerFile(bearerFile)
        } else if let username, let password {
            self = .basic(username: username, password: password)
        } else {
            self = .none
        }
    }
}

extension Reader where Value == String {
    /// The longest job and value of a label, in bytes: each is part of every series or of the path of every push.
    private static var labelLimitBytes: Int { 1024 }

    /// The job of a grouping key.
    fileprivate static var jobName: Reader<String> {
        text.then { text, _ throws(Complaint) in try fitting(text) }
    }

    /// The value of a label: any text, in quotes also the empty one.
    fileprivate static var labelValue: Reader<String> {
        Reader(.quoted) { scalar throws(Complaint) in
            let isUnclear = scalar.isNothing || scalar.usesEnvironment || scalar.impliedType != nil
            let isOdd = scalar.text.isEmpty || scalar.text.unicodeScalars.contains { $0.properties.generalCategory == .control }
            // What the text reader refuses is fine for Prometheus, where it was clearly meant.
            return try fitting(isOdd && !isUnclear ? scalar.text : Reader<String>.text.read(scalar))
        }
    }

    private static func fitting(_ text: String) throws(Complaint) -> String {
        guard text.utf8.count <= labelLimitBytes else {
            throw Complaint("the text has \(text.utf8.count) bytes", hint: "at most \(labelLimitBytes) bytes are allowed here")
        }
        return text
    }

    fileprivate static var pushURL: Reader<String> {
        text.then { text, _ throws(Complaint) in
            let url = try TargetURL.read(text, schemes: [.http, .https], example: "http://pushgateway:9091")
            guard !url.target.contains("?") else {
                throw Complaint("the URL has a query", hint: "remove the '?' and what follows it")
            }
            return text
        }
    }
}
