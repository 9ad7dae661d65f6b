import StentorBase

extension Profile.Faults {
    init(fields: Fields) {
        var drops: [Profile.Drop] = []
        var slowReaders: [Profile.SlowReaders] = []
        for section in fields.sections("faults") {
            let drop = section.optional("drop", .duration)
            let isDrop = section.has("drop")
            let how: Profile.Cut? = isDrop ? section.value("how", default: "reset", .choice()) : section.optional("how", .choice())
            let share = section.optional("slow_reader", .someShare)
            let rate = section.optional("rate", .byteRate)
            let isSlow = section.has("slow_reader")
            guard isDrop != isSlow else {
                section.fault(
                    isDrop ? "'drop' and 'slow_reader' exclude each other" : "a fault needs 'drop' or 'slow_reader'",
                    at: isDrop ? "slow_reader" : nil, hint: isDrop ? "make them two entries" : "")
                continue
            }
            for key in isDrop ? ["rate"] : ["how"] where section.has(key) {
                section.fault("'\(key)' has no meaning with '\(isDrop ? "drop" : "slow_reader")'", at: key, hint: "remove it")
            }
            if isSlow, !section.has("rate") {
                section.fault("missing key 'rate' in '\(section.path.text)'", at: "slow_reader", hint: "the most it reads, such as 10KiB/s")
            }
            if let drop, let how { drops.append(Profile.Drop(every: drop, how: how)) }
            if let share, let rate { slowReaders.append(Profile.SlowReaders(share: share, bytesPerSecond: rate)) }
        }
        (self.drops, self.slowReaders) = (drops, slowReaders)
        if slowReaders.reduce(0, { $0 + $1.share }) > 1 {
            fields.fault("the shares of the slow readers are more than 100%", at: "faults")
        }
    }
}

/// What a way to cut needs of the rest of the profile, so that no drop waits in vain.
struct CutRules {
    let target: Profile.Target
    let behaviour: Profile.Behaviour

    /// A photo of more bytes has two parts or more; a part of the Hermes protocol.
    private static let partBytes = 3 * 1024 * 1024

    func check(_ faults: Profile.Faults, _ drills: [Profile.Drill], in fields: Fields) {
        for how in Profile.Cut.allCases where faults.drops.contains(where: { $0.how == how }) {
            if let (message, hint) = complaint(how) { fields.fault(message, at: "faults", hint: hint) }
        }
        for drill in drills {
            switch drill.action {
            case .disconnect(let disconnect):
                if let (message, hint) = complaint(disconnect.how) { fields.fault(message, at: "drills", hint: hint) }
            case .restartEmbedded:
                guard case .url = target.endpoint else { continue }
                fields.fault(
                    "'restart_embedded' needs 'url: embedded'", at: "drills", hint: "use 'command' to restart a gateway of your own")
            case .command: break
            }
        }
    }

    private func complaint(_ how: Profile.Cut) -> (message: String, hint: String)? {
        switch how {
        case .reset, .close, .beforeReady: nil
        case .halfOpen:
            behaviour.ping == nil && behaviour.text == nil
                ? ("'how: half_open' needs 'behaviour.ping' or 'behaviour.text'", "nothing else would ever notice the silence") : nil
        case .afterSend: behaviour.text == nil ? ("'how: after_send' needs 'behaviour.text'", "it waits for the next text") : nil
        case .midUpload:
            (behaviour.photo?.sizeBytes.upperBound ?? 0) <= Self.partBytes
                ? ("'how: mid_upload' needs 'behaviour.photo' with sizes over 3MiB", "it waits for a photo of two parts or more") : nil
        }
    }
}

extension Reader where Value == Int {
    /// A rate of bytes, 1 KiB/s...1 GiB/s, in bytes per second.
    fileprivate static var byteRate: Reader<Int> {
        Reader { scalar throws(Complaint) in
            guard scalar.text.hasSuffix("/s"), let bytes = Quantity.byteCount(String(scalar.text.dropLast(2))) else {
                throw Complaint("expected a size per second such as 10KiB/s, found \(scalar.shown)")
            }
            guard (1024...1 << 30).contains(bytes) else {
                throw Complaint("\(scalar.shown) is out of range", hint: "from 1KiB/s to 1GiB/s")
            }
            return bytes
        }
    }
}
