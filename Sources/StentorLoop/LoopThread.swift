import CStentorSystem

/// A POSIX thread that runs one closure.
final class LoopThread {
    private final class Start {
        let name: String
        let body: () -> Void
        init(name: String, body: @escaping () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private let handle: pthread_t
    private var isJoined = false

    init(name: String, _ body: @escaping () -> Void) {
        var handle = pthread_t()
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        let result = pthread_create(
            &handle, nil,
            { raw in
                guard let raw else { return nil }
                // SAFETY: the one reference that passRetained above made is taken over here, once.
                let start = Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
                stentor_set_thread_name(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        precondition(result == 0, "LoopThread: pthread_create failed with \(result)")
        self.handle = handle
    }

    func join() {
        guard !isJoined else { return }
        isJoined = true
        pthread_join(handle, nil)
    }

    deinit {
        if !isJoined { pthread_detach(handle) }
    }
}

/// The process's memory.
public enum ProcessMemory {
    /// Gives freed memory back to the system, so that what a burst of dials needed once is not held for the rest of a run.
    ///
    /// Blocks for milliseconds; threads that allocate meanwhile may wait for it.
    public static func trim() { stentor_trim_memory() }
}

/// Where threads run.
public enum Processors {
    /// Keeps the calling thread, and those it starts later, on one processor; for measurements.
    ///
    /// - Throws: ``SystemFailure`` when there is no such processor.
    public static func pinThread(to processor: Int) throws(SystemFailure) {
        guard stentor_pin_thread(Int32(processor)) == 0 else { throw SystemFailure("sched_setaffinity") }
    }
}
