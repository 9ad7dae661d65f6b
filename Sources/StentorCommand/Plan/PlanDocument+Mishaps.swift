import StentorBase
import StentorProfile
import StentorWire

/// Faults, drills and the way back, as JSON.
extension PlanDocument {
    static func mishaps(_ plan: RunPlan, _ json: inout JSONWriter) {
        list("drops", plan.drops, &json) { drops, json in
            member("every_seconds", drops.drop.every.inSeconds, &json)
            member("how", drops.drop.how.rawValue, &json)
            member("total", drops.total.rounded(), &json)
            member("peak_per_second", drops.peakPerSecond, &json)
        }
        list("slow_readers", plan.profile.faults.slowReaders, &json) { readers, json in
            member("share", readers.share, &json)
            member("devices", (Double(plan.peakDevices) * readers.share).rounded(), &json)
            member("bytes_per_second", readers.bytesPerSecond, &json)
        }
        list("drills", plan.drills, &json) { forecast, json in
            member("at_seconds", forecast.drill.at.inSeconds, &json)
            member("name", forecast.drill.name, &json)
            action(forecast, &json)
            member("connected", forecast.connected, &json)
            member("devices", forecast.devices.map(Double.init), &json)
        }
        reconnect(plan, &json)
    }

    private static func action(_ forecast: RunPlan.DrillForecast, _ json: inout JSONWriter) {
        switch forecast.drill.action {
        case .disconnect(let disconnect):
            member("action", "disconnect", &json)
            member("how", disconnect.how.rawValue, &json)
            member("share", disconnect.share, &json)
            member("within_seconds", disconnect.within.inSeconds, &json)
        case .command(let command):
            member("action", "command", &json)
            json.key("words")
            json.beginArray()
            for word in forecast.words { json.string(word) }
            json.endArray()
            member("within_seconds", command.within.inSeconds, &json)
        case .restartEmbedded(let restart):
            member("action", "restart_embedded", &json)
            member("how", restart.how.rawValue, &json)
            member("down_seconds", restart.down.inSeconds, &json)
        }
    }

    private static func reconnect(_ plan: RunPlan, _ json: inout JSONWriter) {
        json.key("reconnect")
        guard let comeback = plan.comeback else { return json.null() }
        object(&json) { json in
            json.key("waits_seconds")
            json.beginArray()
            for wait in comeback.waits { json.number(wait.inSeconds) }
            json.endArray()
            member("worst_wait_seconds", comeback.worstWait.inSeconds, &json)
            member("jitter", comeback.policy.jitter.rawValue, &json)
            member("attempts", comeback.policy.attemptLimit.map(Double.init), &json)
            member("worst_sum_seconds", comeback.worstSum?.inSeconds, &json)
        }
    }

    private static func list<Item>(
        _ key: String, _ items: [Item], _ json: inout JSONWriter, _ body: (Item, inout JSONWriter) -> Void
    ) {
        json.key(key)
        json.beginArray()
        for item in items { object(&json) { body(item, &$0) } }
        json.endArray()
    }
}
