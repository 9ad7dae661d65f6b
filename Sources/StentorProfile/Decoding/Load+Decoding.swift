import StentorBase

extension Profile.Load {
    init?(fields: Fields, deviceCount: Int?) {
        let sections = fields.sections("load")
        let steps = sections.map { Self.step(in: $0, deviceCount: deviceCount) }
        if fields.node("load").map({ $0.content == .list([]) }) == true {
            fields.fault("the load has no step", at: "load", hint: "begin with {ramp: N, over: D}")
        }
        guard !steps.isEmpty, steps.count == fields.list("load").count, !steps.contains(where: { $0 == nil }) else { return nil }
        self.steps = steps.compactMap { $0 }
        if case .hold = self.steps[0] {
            sections[0].fault("the load begins with a hold of 0 devices", hint: "begin with {ramp: N, over: D}")
        } else if peakDevices == 0 {
            fields.fault("the load never connects a device", at: "load", hint: "one ramp at least must go above 0")
        }
    }

    private static func step(in fields: Fields, deviceCount: Int?) -> Profile.LoadStep? {
        let target = fields.optional("ramp", .rampTarget)
        let over = fields.optional("over", .duration)
        let hold = fields.optional("hold", .duration)
        switch (fields.has("ramp"), fields.has("over"), fields.has("hold")) {
        case (true, _, true): fields.fault("'ramp' and 'hold' exclude each other", at: "hold", hint: "make them two steps")
        case (true, false, false): fields.fault("missing key 'over' in '\(fields.path.text)'", hint: "how long the ramp takes, such as 10m")
        case (true, true, false):
            guard let target, let over, let deviceCount else { return nil }
            return ramp(to: target, over: over, of: deviceCount, in: fields)
        case (false, true, _): fields.fault("'over' needs 'ramp'", at: "over")
        case (false, false, true): return hold.map { .hold($0) }
        case (false, false, false):
            fields.fault("a step needs 'ramp' and 'over', or 'hold'")
        }
        return nil
    }

    private static func ramp(to target: RampTarget, over: Duration, of deviceCount: Int, in fields: Fields) -> Profile.LoadStep? {
        switch target {
        case .devices(let count):
            guard count <= deviceCount else {
                fields.fault(
                    "ramp to \(count) devices, but there are \(deviceCount)", at: "ramp", hint: "raise devices.count, or write 100%")
                return nil
            }
            return .ramp(to: count, over: over)
        case .share(let share):
            let count = Int((share * Double(deviceCount)).rounded(.toNearestOrAwayFromZero))
            return .ramp(to: share > 0 ? max(1, count) : 0, over: over)
        }
    }
}

/// What a ramp goes to, as a profile writes it.
private enum RampTarget {
    case devices(Int)
    case share(Double)
}

extension Reader where Value == RampTarget {
    fileprivate static var rampTarget: Reader<RampTarget> {
        Reader { scalar throws(Complaint) in
            guard scalar.text.hasSuffix("%") else { return .devices(try Reader<Int>.integer(0...1_000_000).read(scalar)) }
            return .share(try Reader<Double>.share.read(scalar))
        }
    }
}
