/// Finds devices by the UTF-8 bytes of their ids, without an allocation.
///
/// An open hash table (FNV-1a, linear probing, at most half full); ids are never removed.
struct SenderTable {
    private struct Entry {
        let start: Int
        let count: Int
        let value: Int
    }

    private var entries: [Entry] = []
    private var bytes: [UInt8] = []
    /// Numbers of entries plus 1; 0 is free. A power of two.
    private var slots = [UInt32](repeating: 0, count: 16)

    /// Adds an id; one that is there already keeps its value.
    mutating func insert(_ id: String, _ value: Int) {
        let name = Array(id.utf8)
        guard name.withUnsafeBytes({ find($0) }) == nil else { return }
        if (entries.count + 1) * 2 > slots.count { grow() }
        entries.append(Entry(start: bytes.count, count: name.count, value: value))
        bytes += name
        place(entries.count - 1)
    }

    /// The value of an id; nil for one that was never added.
    func find(_ id: UnsafeRawBufferPointer) -> Int? {
        bytes.withUnsafeBytes { bytes in
            var slot = Int(truncatingIfNeeded: Self.hash(id)) & (slots.count - 1)
            while slots[slot] != 0 {
                let entry = entries[Int(slots[slot]) - 1]
                if entry.count == id.count,
                    UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count]).elementsEqual(id)
                {
                    return entry.value
                }
                slot = (slot + 1) & (slots.count - 1)
            }
            return nil
        }
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for index in entries.indices { place(index) }
    }

    private mutating func place(_ index: Int) {
        let entry = entries[index]
        let hash = bytes.withUnsafeBytes { Self.hash(UnsafeRawBufferPointer(rebasing: $0[entry.start..<entry.start + entry.count])) }
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(index + 1)
    }

    // Fowler, Noll, Vo: http://www.isthe.com/chongo/tech/comp/fnv/
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash ^ hash >> 32
    }
}
