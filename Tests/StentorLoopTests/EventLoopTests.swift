import StentorBase
import StentorLoop
import TestSupport
import Testing

struct EventLoopTests {
    @Test func `a task that prefers the loop runs on its thread, also after waiting and in child tasks`() async throws {
        let places = try await onLoop { loop in
            var places = [loop.isCurrent]
            await loop.sleep(until: .now() + .milliseconds(1))
            places.append(loop.isCurrent)
            async let child = EventLoop.current === loop
            places.append(await child)
            await withTaskGroup(of: Bool.self) { group in
                group.addTask { EventLoop.current === loop }
                for await place in group { places.append(place) }
            }
            return places
        }
        #expect(places == [true, true, true, true])
    }

    @Test func `closures posted by one thread run in order on the loop`() async throws {
        let order = try await onLoop { loop in
            let done = LoopPromise<[Int]>(loop)
            let seen = LoopBox(Box<[Int]>([]))
            let finished = LoopBox(done)
            await withTaskGroup(of: Void.self) { group in
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    for number in 0..<1000 { loop.post { seen.value.value.append(number) } }
                    loop.post { finished.value.fulfil(seen.value.value) }
                }
            }
            return await done.value(until: .now() + .seconds(10)) ?? []
        }
        #expect(order == Array(0..<1000))
    }

    @Test func `a timer never fires early and a promise gives nil at its deadline`() async throws {
        let (slept, value) = try await onLoop { loop in
            let begin = Instant.now()
            await loop.sleep(until: begin + .milliseconds(5))
            let slept = Instant.now() - begin
            return (slept, await LoopPromise<Int>(loop).value(until: .now() + .milliseconds(1)))
        }
        #expect(slept >= .milliseconds(5))
        #expect(value == nil)
    }

    @Test func `a promise keeps its first value`() async throws {
        let value = try await onLoop { loop in
            let promise = LoopPromise<Int>(loop)
            promise.fulfil(1)
            promise.fulfil(2)
            return await promise.value(until: .now())
        }
        #expect(value == 1)
    }

    @Test func `mask keys differ from each other`() {
        let pool = SecureRandomPool()
        #expect(Set((0..<3000).map { _ in pool.nextUInt32() }).count > 2990)
    }

    @Test func `a child's lines come in order, then its exit status`() async throws {
        let events = try await onLoop { loop in
            let done = LoopPromise<Void>(loop)
            let events = Box<[StentorLoop.ChildProcess.Event]>([])
            let child = try StentorLoop.ChildProcess(
                loop: loop, path: "/bin/sh", arguments: ["-c", "echo one; echo $SECRET; printf three; exit 7"],
                environment: [("SECRET", "two")]
            ) { event in
                events.value.append(event)
                if case .ended = event { done.fulfil(()) }
            }
            _ = await done.value(until: .now() + .seconds(10))
            withExtendedLifetime(child) {}
            return events.value
        }
        #expect(events == [.line("one"), .line("two"), .line("three"), .ended(7)])
    }
}

/// A mutable value with identity.
final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}
