import StentorBase

/// What the Hermes gateway counts beside ``GatewayTally``.
struct HermesCounts {
    var hellos = 0
    /// Refused hellos and upgrades, by reason.
    var refused: [String: Int] = [:]
    var texts = 0
    var audios = 0

    /// Replies sent, duplicates included, and what became of the others.
    var repliesSent = 0
    var fates: [DeviceTruth.Fate: Int] = [:]

    var uploadsBegun = 0
    var uploadsComplete = 0
    var uploadBytes = 0
    var confirmed = 0
    /// Spoiled uploads by reason, and the bytes they had.
    var corrupt: [String: Int] = [:]
    var corruptBytes = 0

    var photosSent = 0
    var photoBytes = 0

    var promptsSent = 0
    var promptsResent = 0
    var promptsAnswered = 0
    var promptsExpired = 0
    var promptsSubstituted = 0
    var promptsSuperseded = 0
    var lateAnswers = 0
    var repeatedAnswers = 0

    /// Bad frames sent in place of nothing, those after ready left out.
    var badFrames = 0
    /// All frames sent on purpose that a device must survive, by kind.
    var onPurpose: [String: Int] = [:]
    var reconnectGaps = ReconnectGaps()

    /// Writes the members that stand before those of all gateways.
    func write(to json: inout TotalsWriter, devices: [HermesDevice]) {
        json.member("devices", devices.count)
        json.member("hellos", hellos)
        json.member("refused", refused)
        json.member("texts", texts)
        json.member("audios", audios)
        json.object("replies") { json in
            json.member("sent", repliesSent)
            for fate in DeviceTruth.Fate.allCases { json.member(fate.rawValue, fates[fate, default: 0]) }
        }
        json.object("uploads") { json in
            json.member("begun", uploadsBegun)
            json.member("complete", uploadsComplete)
            json.member("bytes", uploadBytes)
            json.member("confirmed", confirmed)
            json.member("corrupt", corrupt)
            json.member("corrupt_bytes", corruptBytes)
        }
        json.object("photos") { json in
            json.member("sent", photosSent)
            json.member("bytes", photoBytes)
        }
        writePrompts(to: &json)
        json.member("on_purpose", onPurpose)
        reconnectGaps.write(to: &json)
        json.object("per_device") { json in
            for device in devices {
                json.object(device.name) { json in
                    json.member("connections", device.connections)
                    device.truth.write(to: &json)
                }
            }
        }
    }

    private func writePrompts(to json: inout TotalsWriter) {
        json.object("prompts") { json in
            json.member("sent", promptsSent)
            json.member("resent", promptsResent)
            json.member("answered", promptsAnswered)
            json.member("expired", promptsExpired)
            json.member("substituted", promptsSubstituted)
            json.member("superseded", promptsSuperseded)
            json.member("late_answers", lateAnswers)
            json.member("repeated_answers", repeatedAnswers)
        }
    }
}
