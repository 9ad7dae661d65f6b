import Testing

@testable import StentorReport

struct HostFactsTests {
    @Test func `this machine has a name, a kernel, cores and memory`() {
        let host = HostFacts.current()
        #expect(!host.hostname.isEmpty)
        #expect(host.kernel.hasPrefix("Linux "))
        #expect(host.cores >= 1)
        #expect((host.memoryBytes ?? 0) > 1 << 20)
    }

    @Test(arguments: [
        ("MemTotal:       16384000 kB\nMemFree:  1 kB\n", 16_777_216_000), ("MemFree: 1 kB\n", nil), ("MemTotal: lots kB", nil),
        ("MemTotal: 9223372036854775807 kB", nil), ("MemTotal: 5 MB", nil), ("", nil),
    ])
    func `memory is read in kibibytes`(text: String, bytes: Int?) {
        #expect(HostFacts.memoryBytes(in: text) == bytes)
    }

    @Test(arguments: [
        ("Name:\tx\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n", 2), ("Cpus_allowed:\tff,ffffffff\n", 40), ("Cpus_allowed:\t0\n", nil),
        ("Name:\tx\n", nil),
    ])
    func `cores are the bits of the affinity mask`(text: String, cores: Int?) {
        #expect(HostFacts.allowedCores(in: text) == cores)
    }
}
