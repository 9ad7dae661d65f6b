import StentorBase
import StentorWire

extension Profile.Push {
    init?(fields: Fields) {
        let url = fields.required("url", .pushURL)
        let every = fields.value("every", default: "15s", .duration(atLeast: .seconds(1), "at least 1s"))
        let job = fields.value("job", default: "stentor", .text)
        let pairs = fields.names("labels")
        labels = Self.labels(pairs, in: fields)
        group = Self.group(of: pairs.map(\.key), in: fields)
        let onFinish: Profile.OnFinish? = fields.value("on_finish", default: "keep", .choice())
        let isRequired = fields.value("required", default: "false", .boolean)
        credentials = Profile.PushCredentials(fields: fields)
        caFile = fields.optional("ca_file", .path(in: fields.decoding))
        guard let url, let every, let job, let onFinish, let isRequired else { return nil }
        (self.url, self.every, self.job, self.onFinish, self.isRequired) = (url, every, job, onFinish, isRequired)
    }

    // Labels that Stentor or Prometheus sets itself.
    private static let reserved: Set<String> = ["job", "instance", "profile", "shard", "le", "quantile"]

    private static func labels(_ pairs: [YAMLPair], in fields: Fields) -> [Profile.Label] {
        pairs.compactMap { pair in
            let decoding = fields.decoding
            let value = decoding.read(pair.value, at: fields.path + [.key("labels"), .key(pair.key)], .text)
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
        guard !name.hasPrefix("__"), !reserved.contains(name) else {
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
        let (hasUsername, hasPassword) = (fields.has("username"), fields.has("password"))
        if hasUsername != hasPassword {
            let (given, other) = hasUsername ? ("username", "password") : ("password", "username")
            fields.fault("'\(given)' needs '\(other)'", at: given)
        }
        if fields.has("bearer"), hasUsername || hasPassword {
            fields.fault(
                "'bearer' and '\(hasUsername ? "username" : "password")' exclude each other", at: "bearer", hint: "keep one of them")
        }
        if let bearer {
            self = .bearer(bearer)
        } else if let username, let password {
            self = .basic(username: username, password: password)
        } else {
            self = .none
        }
    }
}

extension Reader where Value == String {
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
