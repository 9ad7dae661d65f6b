/// A growing FIFO of jobs that run on a loop.
struct JobRing {
    private var storage: [UnownedJob?]
    private var head = 0
    private(set) var count = 0

    init(capacity: Int = 1024) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "JobRing: capacity is a power of two")
        storage = Array(repeating: nil, count: capacity)
    }

    mutating func append(_ job: UnownedJob) {
        if count == storage.count { grow() }
        storage[(head + count) & (storage.count - 1)] = job
        count += 1
    }

    mutating func popFirst() -> UnownedJob? {
        guard count > 0 else { return nil }
        let job = storage[head]
        head = (head + 1) & (storage.count - 1)
        count -= 1
        return job
    }

    private mutating func grow() {
        var larger: [UnownedJob?] = []
        larger.reserveCapacity(storage.count * 2)
        for offset in 0..<count { larger.append(storage[(head + offset) & (storage.count - 1)]) }
        larger.append(contentsOf: repeatElement(nil, count: storage.count * 2 - count))
        storage = larger
        head = 0
    }
}
