import StentorBase
import StentorClient
import StentorLoop

/// Runs one device of a plan, by itself and at once, on the loop that is given; a tap sees its connections. Loop thread only.
///
/// The device is the same as in a run of the plan: identity, behaviour, faults and random choices. Drills and the load's schedule are left out.
public final class DeviceTrace {
    private let crew: Crew
    private let loop: EventLoop

    /// Makes the trace of a device.
    ///
    /// - Parameters:
    ///   - device: Its index, 0 ..< the plan's devices.
    ///   - duration: How long it stays; what it began may end after that.
    ///   - loop: Where it lives; running.
    public init(_ plan: FleetPlan, device: Int, for duration: Duration, loop: EventLoop, tap: any ConnectionTap) {
        self.loop = loop
        crew = Crew(
            plan: plan.alone(device, for: duration), loop: loop, resolver: Resolver(), start: .now(), indices: CollectionOfOne(device))
        crew.context.tap = tap
    }

    /// Runs it to its end. To be awaited once, by a task that prefers the loop.
    ///
    /// - Returns: Whether the device was ever ready.
    public func run() async -> Bool {
        await crew.run()
        return crew.collect().count(.ready) > 0
    }

    /// Ends it early: what it began may end within a time.
    public func stop(grace: Duration) {
        crew.leaveAll(limit: .now() + grace)
    }
}

extension FleetPlan {
    /// The plan for one device alone, which stays from the start on.
    func alone(_ device: Int, for duration: Duration) -> FleetPlan {
        var plan = self
        plan.schedule = LoadSchedule(alone: device, for: duration)
        return plan
    }
}
