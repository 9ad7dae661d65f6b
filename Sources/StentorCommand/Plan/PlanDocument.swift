import StentorBase
import StentorProfile
import StentorWire

/// A plan as JSON: the same numbers as its text, durations in seconds, what is not known `null`.
enum PlanDocument {
    /// The document in one line, with an end of line.
    static func text(_ plan: RunPlan) -> String {
        var json = JSONWriter()
        json.beginObject()
        head(plan, &json)
        work(plan, &json)
        rules(plan, &json)
        machine(plan, &json)
        json.key("options")
        json.beginArray()
        for origin in plan.profile.origins {
            object(&json) { json in
                member("path", origin.path, &json)
                member("value", origin.value, &json)
                member("origin", origin.source.description, &json)
            }
        }
        json.endArray()
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    private static func head(_ plan: RunPlan, _ json: inout JSONWriter) {
        let profile = plan.profile
        member("profile", profile.name, &json)
        let target = if case .url(let url) = profile.target.endpoint { url.description } else { "embedded" }
        member("target", target, &json)
        member("dialect", profile.target.dialect.rawValue, &json)
        // As a text: a seed may not fit the numbers of all readers.
        member("seed", "\(profile.seed)", &json)
        member("digest", profile.digest, &json)
        member("duration_seconds", plan.duration.inSeconds, &json)
        member("devices", plan.peakDevices, &json)
        json.key("source_addresses")
        json.beginArray()
        for address in profile.target.sourceAddresses { json.string(address) }
        json.endArray()
        json.key("schedule")
        json.beginArray()
        for step in plan.steps {
            object(&json) { json in
                member("at_seconds", step.at.inSeconds, &json)
                member("step", step.isRamp ? "ramp" : "hold", &json)
                member("from", step.from, &json)
                member("to", step.to, &json)
                member("seconds", step.lasts.inSeconds, &json)
            }
        }
        json.endArray()
    }

    private static func work(_ plan: RunPlan, _ json: inout JSONWriter) {
        json.key("expected")
        object(&json) { json in
            json.key("dials")
            object(&json) { json in
                member("total", plan.dials, &json)
                member("peak_per_second", plan.dialsPerSecond, &json)
                member("last_due_seconds", plan.lastDial?.inSeconds, &json)
            }
            member("drilled_devices", plan.drilledDevices, &json)
            for (name, work) in [("texts", plan.texts), ("photos", plan.photos)] {
                json.key(name)
                guard let work else {
                    json.null()
                    continue
                }
                object(&json) { json in
                    member("total", work.total.rounded(), &json)
                    member("peak_per_second", work.peakPerSecond, &json)
                    member("bytes", work.totalBytes.rounded(), &json)
                }
            }
            member("pings", plan.pings?.rounded(), &json)
            member("absences", plan.absences?.rounded(), &json)
            json.key("prompts")
            json.null()
        }
    }

    private static func rules(_ plan: RunPlan, _ json: inout JSONWriter) {
        mishaps(plan, &json)
        json.key("gates")
        json.beginArray()
        for (rule, outlook) in zip(plan.profile.gates, plan.driftOutlooks) {
            object(&json) { json in
                member("expression", rule.gate.expression, &json)
                json.key("abort")
                json.bool(rule.abortsRun)
                member("after_seconds", rule.after.inSeconds, &json)
                json.key("windows")
                guard let outlook else { return json.null() }
                object(&json) { json in
                    member("count", outlook.windows, &json)
                    member("seconds", outlook.windowSeconds, &json)
                }
            }
        }
        json.endArray()
    }

    private static func machine(_ plan: RunPlan, _ json: inout JSONWriter) {
        json.key("fits")
        json.bool(plan.needs.allSatisfy(\.isMet))
        json.key("machine")
        object(&json) { json in
            for need in plan.needs {
                json.key(need.kind.key)
                object(&json) { json in
                    member("needed", need.needed, &json)
                    json.key("available")
                    if let available = need.available { json.integer(Int64(available)) } else { json.null() }
                }
            }
        }
    }

    static func object(_ json: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
        json.beginObject()
        body(&json)
        json.endObject()
    }

    static func member(_ key: String, _ value: String, _ json: inout JSONWriter) {
        json.key(key)
        json.string(value)
    }

    static func member(_ key: String, _ value: Int, _ json: inout JSONWriter) {
        json.key(key)
        json.integer(Int64(value))
    }

    static func member(_ key: String, _ value: Double?, _ json: inout JSONWriter) {
        json.key(key)
        if let value { json.number(value) } else { json.null() }
    }
}

extension RunPlan.Need.Kind {
    /// The name in JSON.
    fileprivate var key: String {
        switch self {
        case .descriptors: "descriptors"
        case .ports: "ports"
        case .memory: "memory_bytes"
        }
    }
}
