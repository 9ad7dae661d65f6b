import CStentorSystem
import StentorBase
import Synchronization

// SAFETY: all mutable state but `inbox` and the atomics is touched on the loop's thread only (checked by `assertOnLoop`); `inbox` is a Mutex.
/// One thread, one epoll, and the tasks that prefer it: the place where devices, connections and timers live.
///
/// The loop is a `TaskExecutor`: a child task started with `executorPreference: loop` runs all its nonisolated code on the loop's thread, so it
/// may touch the loop's timers, streams and whatever else is confined to it without locks. After each event its jobs run at once, before the
/// next event is looked at, and what they wrote goes out.
///
/// Life: ``start()`` → … → ``stop()`` → ``join()``. Stop a loop only when no task prefers it any more.
public final class EventLoop: TaskExecutor, @unchecked Sendable {
    /// A name for the thread and for reports, at most 15 bytes are shown by the system.
    public let name: String

    private enum Item {
        case job(UnownedJob)
        case work(@Sendable () -> Void)
    }
    private struct Inbox {
        var items: [Item] = []
        var isAwake = false
    }
    private struct Slot {
        var source: EventSource?
        var generation: UInt32 = 0
    }

    /// System calls of the loop and its streams since its start. Loop thread only.
    public struct SystemCalls: Sendable, Equatable {
        /// Waits for events.
        public var waits = 0
        /// Reads of sockets.
        public var receives = 0
        /// Writes to sockets.
        public var sends = 0

        /// Starts at zero.
        public init() {}
    }

    /// What the loop has asked of the system so far, TLS apart. Loop thread only.
    ///
    /// Counted in C, per thread: a count in this object would be guarded by an exclusivity check at every call.
    public var systemCalls: SystemCalls {
        let counts = stentor_thread_calls()
        var calls = SystemCalls()
        (calls.waits, calls.receives, calls.sends) = (Int(counts.waits), Int(counts.receives), Int(counts.sends))
        return calls
    }

    private let epoll: Int32
    private let wakeUp: Int32
    private let inbox = Mutex(Inbox())
    private let stopRequested = Atomic<Bool>(false)
    private let cpuNanoseconds = Atomic<Int64>(0)
    private var thread: LoopThread?

    private var ring = JobRing()
    private var wheel: TimerWheel
    private var slots: [Slot] = []
    private var unflushed: [ByteStream] = []
    private var deferred: [() -> Void] = []
    private var spareItems: [Item] = []
    private var cachedNow: Instant
    private var pool: [[UInt8]] = []

    /// Where every stream of this loop reads into; valid during one callback.
    let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 64)
    /// Where payloads are masked on their way out.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 64)
    /// Unpredictable bits for mask keys. Loop thread only.
    public let secureRandom = SecureRandomPool()

    /// Makes a loop that does not run yet.
    ///
    /// - Throws: ``SystemFailure`` when the process has no descriptors left.
    public init(name: String) throws(SystemFailure) {
        self.name = name
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw SystemFailure("epoll_create1") }
        wakeUp = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard wakeUp >= 0 else {
            let failure = SystemFailure("eventfd")
            close(epoll)
            throw failure
        }
        cachedNow = .now()
        wheel = TimerWheel(now: cachedNow)
        guard stentor_epoll_ctl(epoll, EPOLL_CTL_ADD, wakeUp, stentor_epollin(), .max) == 0 else {
            throw SystemFailure("epoll_ctl")
        }
    }

    deinit {
        close(epoll)
        close(wakeUp)
        readBuffer.deallocate()
        scratch.deallocate()
    }

    // MARK: - Life

    /// Starts the loop's thread.
    public func start() {
        precondition(thread == nil, "EventLoop: started twice")
        thread = LoopThread(name: name) { self.run() }
    }

    /// Asks the loop to end; any thread. Registered sources are told, their descriptors closed.
    public func stop() {
        stopRequested.store(true, ordering: .releasing)
        post {}
    }

    /// Waits for the loop's thread to end; any thread but the loop's own.
    public func join() {
        thread?.join()
        thread = nil
    }

    /// The loop that owns the calling thread, if any.
    public static var current: EventLoop? {
        guard let owner = stentor_thread_owner() else { return nil }
        // SAFETY: the pointer is set by run() on this very thread and cleared before the loop can go away.
        return Unmanaged<EventLoop>.fromOpaque(owner).takeUnretainedValue()
    }

    /// Whether the calling thread is the loop's.
    public var isCurrent: Bool {
        stentor_thread_owner() == Unmanaged.passUnretained(self).toOpaque()
    }

    /// CPU time that the loop's thread has used, in nanoseconds, as of its last wait or ``noteCPUTime()``; any thread.
    public var cpuTimeNanoseconds: Int64 { cpuNanoseconds.load(ordering: .relaxed) }

    /// Brings ``cpuTimeNanoseconds`` up to date: a loop that has always something to do never waits. Loop thread only.
    public func noteCPUTime() { cpuNanoseconds.store(stentor_thread_cpu_ns(), ordering: .relaxed) }

    /// The timers that the loop has fired. Loop thread only.
    public var timers: TimerTally { wheel.tally }

    // MARK: - Work from anywhere

    /// Runs a closure on the loop's thread, soon; any thread. Closures and jobs of one thread keep their order.
    public func post(_ work: @escaping @Sendable () -> Void) {
        deliver(.work(work))
    }

    /// Takes a job of a task that prefers this loop; any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent { ring.append(job) } else { deliver(.job(job)) }
    }

    private func deliver(_ item: Item) {
        let mustWake = inbox.withLock { inbox in
            inbox.items.append(item)
            defer { inbox.isAwake = true }
            return !inbox.isAwake
        }
        if mustWake { eventfd_write(wakeUp, 1) }
    }

    // MARK: - Loop thread only

    /// The monotonic clock as read when the current event began. Loop thread only.
    public var now: Instant { cachedNow }

    /// Schedules a timer, or moves its deadline. Loop thread only.
    public func schedule(_ timer: LoopTimer, at deadline: Instant) {
        wheel.schedule(timer, at: deadline)
    }

    /// Cancels a timer; harmless when it is not scheduled. Loop thread only.
    public func cancel(_ timer: LoopTimer) {
        wheel.cancel(timer)
    }

    /// Waits on the loop until an instant; only for tasks that prefer this loop.
    public func sleep(until deadline: Instant) async {
        assertOnLoop()
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            schedule(LoopTimer { continuation.resume() }, at: deadline)
        }
    }

    /// Runs a closure on this loop before it next waits. Loop thread only.
    public func runSoon(_ work: @escaping () -> Void) {
        deferred.append(work)
    }

    /// Traps when the calling thread is not the loop's, in debug builds.
    public func assertOnLoop() {
        assert(isCurrent, "EventLoop: used from another thread")
    }

    // MARK: - Sources

    func register(_ source: EventSource, descriptor: Int32, events: UInt32) throws(SystemFailure) {
        let index = Int(descriptor)
        while slots.count <= index { slots.append(Slot()) }
        slots[index].generation &+= 1
        let data = UInt64(slots[index].generation) << 32 | UInt64(UInt32(descriptor))
        guard stentor_epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, events, data) == 0 else { throw SystemFailure("epoll_ctl") }
        slots[index].source = source
        source.slot = descriptor
    }

    func update(_ source: EventSource, events: UInt32) {
        let index = Int(source.slot)
        let data = UInt64(slots[index].generation) << 32 | UInt64(UInt32(source.slot))
        let result = stentor_epoll_ctl(epoll, EPOLL_CTL_MOD, source.slot, events, data)
        precondition(result == 0, "EventLoop: update of a source that is not registered")
    }

    func deregister(_ source: EventSource) {
        guard source.slot >= 0 else { return }
        _ = stentor_epoll_ctl(epoll, EPOLL_CTL_DEL, source.slot, 0, 0)
        slots[Int(source.slot)].source = nil
        source.slot = -1
    }

    /// Flushes the stream once the code that runs now has ended.
    func flushSoon(_ stream: ByteStream) {
        unflushed.append(stream)
    }

    // MARK: - Buffers

    func takeBuffer() -> [UInt8] {
        pool.popLast() ?? []
    }

    func giveBack(_ buffer: consuming [UInt8]) {
        guard pool.count < 64, buffer.capacity <= 64 * 1024, buffer.capacity > 0 else { return }
        buffer.removeAll(keepingCapacity: true)
        pool.append(buffer)
    }

    // MARK: - The loop

    private func run() {
        stentor_set_thread_owner(Unmanaged.passUnretained(self).toOpaque())
        let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 512)
        defer { events.deallocate() }
        while !stopRequested.load(ordering: .acquiring) {
            cachedNow = .now()
            takeInbox()
            settle()
            fireTimers()
            let timeout = waitNanoseconds()
            if timeout != 0 { noteCPUTime() }
            let count = stentor_epoll_wait(epoll, events.baseAddress!, Int32(events.count), timeout)  // SAFETY: capacity > 0
            for index in 0..<Int(max(0, count)) { dispatch(events[index]) }
        }
        end()
        stentor_set_thread_owner(nil)
    }

    private func dispatch(_ event: epoll_event) {
        let data = withUnsafePointer(to: event) { stentor_epoll_data($0) }
        guard data != .max else {
            var value: eventfd_t = 0
            eventfd_read(wakeUp, &value)
            return
        }
        let descriptor = Int(UInt32(truncatingIfNeeded: data))
        // A late event for a descriptor that was closed, or closed and reused, since epoll_wait returned.
        guard slots[descriptor].generation == UInt32(data >> 32), let source = slots[descriptor].source else { return }
        cachedNow = .now()
        source.ready(event.events)
        settle()
    }

    /// Runs the jobs that the last event made ready and sends what they wrote.
    private func settle() {
        var budget = 10_000
        while budget > 0, ring.count > 0 || !unflushed.isEmpty || !deferred.isEmpty {
            while budget > 0, let job = ring.popFirst() {
                job.runSynchronously(on: asUnownedTaskExecutor())
                budget -= 1
            }
            if !deferred.isEmpty {
                let batch = deferred
                deferred.removeAll(keepingCapacity: true)
                for work in batch { work() }
                budget -= batch.count
            }
            flush()
        }
    }

    private func flush() {
        var index = 0
        while index < unflushed.count {
            unflushed[index].flush()
            index += 1
        }
        unflushed.removeAll(keepingCapacity: true)
    }

    private func takeInbox() {
        inbox.withLock { inbox in
            swap(&inbox.items, &spareItems)
            inbox.isAwake = false
        }
        guard !spareItems.isEmpty else { return }
        let items = spareItems
        spareItems = []
        for item in items {
            switch item {
            case .job(let job): ring.append(job)
            case .work(let work): work()
            }
        }
    }

    private func fireTimers() {
        let now = cachedNow
        while let timer = wheel.nextDue(at: now, clock: cachedNow) {
            timer.fire()
            settle()
            cachedNow = .now()
        }
    }

    private func waitNanoseconds() -> Int64 {
        if ring.count > 0 || !unflushed.isEmpty || !deferred.isEmpty { return 0 }
        guard let wake = wheel.nextWake else { return -1 }
        return max(0, wake.nanoseconds(since: .now()))
    }

    private func end() {
        for index in slots.indices {
            guard let source = slots[index].source else { continue }
            source.loopEnded()
            deregister(source)
        }
        settle()
        takeInbox()
        settle()
        wheel.removeAll()
        unflushed.removeAll()
    }
}
