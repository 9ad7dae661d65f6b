import StentorBase
import StentorWire

/// Puts together the files that a server sends to one device, and says how each ended.
///
/// Parts may come in any order; one that comes twice counts once and replaces the earlier. A file is spoiled by bad base64, an impossible index, a
/// number of parts that changes, or no progress for the time-out; what still comes for it, or for a complete file, is ignored until the
/// connection is lost. Memory: parts that come in order are hashed and dropped; others are kept decoded until their turn.
struct HermesDownloads {
    /// Bounds and modes.
    struct Options {
        var timeout = Duration.seconds(60)
        var fileLimitBytes = 64 << 20
        var openLimit = 16
        var continuesOverReconnect = false
    }

    /// The most parts a file may have.
    static let partsLimit = 4096
    private static let doneLimit = 32

    let options: Options
    private var open: [HermesDownload] = []
    private var done: [HermesMessageKey] = []
    private var incoming: HermesIncomingPart?

    init(_ options: Options) {
        self.options = options
    }

    /// When the next file times out; nil if none is open.
    var deadline: Instant? {
        guard var earliest = open.first?.lastProgressAt else { return nil }
        for file in open.dropFirst() { earliest = min(earliest, file.lastProgressAt) }
        return earliest + options.timeout
    }

    // MARK: A part, as it arrives

    /// A part begins.
    ///
    /// - Parameter header: What was read of its frame; nil if its place in a file is not known yet.
    mutating func partBegan(_ header: HermesPartHeader?, at now: Instant, facts: inout [DeviceFact]) {
        guard let header, !isDone(header.id) else {
            incoming = HermesIncomingPart(header: nil, hash: nil, limitBytes: header == nil ? options.fileLimitBytes : 0, startedAt: now)
            return
        }
        let index = openIndex(header, startedAt: now, facts: &facts)
        incoming = HermesIncomingPart(
            header: header, hash: index.flatMap { open[$0].liveHash(part: header.part) },
            limitBytes: index == nil ? 0 : options.fileLimitBytes, startedAt: now)
    }

    /// Characters of the part's base64 came.
    mutating func partBytes(_ text: UnsafeRawBufferPointer, at now: Instant) {
        incoming?.take(text)
        guard let id = incoming?.header?.id, let index = open.firstIndex(where: { $0.id == id }) else { return }
        open[index].lastProgressAt = now
    }

    /// The part's frame is complete; `header` is what the whole frame says.
    mutating func partEnded(_ header: HermesPartHeader, at now: Instant, facts: inout [DeviceFact]) {
        guard let part = incoming else { return }
        incoming = nil
        part.finish()
        guard !isDone(header.id), let index = openIndex(header, startedAt: part.startedAt, facts: &facts) else { return }
        open[index].lastProgressAt = now
        if let claim = header.claim { open[index].claim = claim }
        if let fault = part.fault { return end(index, .corrupt(fault), &facts) }
        take(part, header, index, &facts)
    }

    /// Whether the whole frame says the same as its beginning did.
    func agrees(_ header: HermesPartHeader) -> Bool {
        guard let early = incoming?.header else { return true }
        return early.id == header.id && early.part == header.part && early.parts == header.parts
    }

    /// The part's frame turned out to be none, or was cut short: nothing of it counts.
    mutating func partAborted() {
        incoming = nil
    }

    /// A frame names an address instead of carrying data.
    mutating func referenced(_ id: String, at now: Instant, facts: inout [DeviceFact]) {
        guard !isDone(id) else { return }
        if let index = open.firstIndex(where: { $0.id == id }) { return end(index, .byReference, &facts) }
        facts.append(.downloadBegan(id: id))
        finish(id, .byReference, bytes: 0, firstPartAt: now, &facts)
    }

    // MARK: Other events

    /// Ends the files that made no progress for the time-out.
    mutating func deadlinePassed(at now: Instant, facts: inout [DeviceFact]) {
        while let index = open.firstIndex(where: { $0.lastProgressAt + options.timeout <= now }) {
            end(index, .incomplete(.timeout), &facts)
        }
    }

    /// The connection was lost: open files are incomplete, unless they may go on over a reconnect.
    mutating func connectionLost(facts: inout [DeviceFact]) {
        incoming = nil
        guard !options.continuesOverReconnect else { return }
        while !open.isEmpty { end(0, .incomplete(.connectionLost), &facts) }
        done = []
    }

    // MARK: Private

    /// The file of a part, begun if new; nil if the part spoils it or it may not begin.
    private mutating func openIndex(_ header: HermesPartHeader, startedAt: Instant, facts: inout [DeviceFact]) -> Int? {
        let isPossible = (1...Self.partsLimit).contains(header.parts) && (0..<header.parts).contains(header.part)
        if let index = open.firstIndex(where: { $0.id == header.id }) {
            if open[index].parts != header.parts {
                end(index, .corrupt(.partsChanged), &facts)
                return nil
            }
            guard isPossible else {
                end(index, .corrupt(.partOutOfRange), &facts)
                return nil
            }
            return index
        }
        facts.append(.downloadBegan(id: header.id))
        guard open.count < options.openLimit else {
            finish(header.id, .incomplete(.tooManyOpen), bytes: 0, firstPartAt: startedAt, &facts)
            return nil
        }
        guard isPossible else {
            finish(header.id, .corrupt(.partOutOfRange), bytes: 0, firstPartAt: startedAt, &facts)
            return nil
        }
        open.append(HermesDownload(id: header.id, parts: header.parts, firstPartAt: startedAt))
        return open.count - 1
    }

    private mutating func take(_ part: HermesIncomingPart, _ header: HermesPartHeader, _ index: Int, _ facts: inout [DeviceFact]) {
        var hash = part.hashed
        if hash == nil, let late = open[index].liveHash(part: header.part) {
            part.bytes.withUnsafeBytes { late.update($0) }
            hash = late
        }
        if let hash {
            guard open[index].commit(part: header.part, hash: hash, count: part.count) else {
                return end(index, .corrupt(.duplicateDiffers), &facts)
            }
        } else {
            open[index].keep(part: header.part, part.bytes)
        }
        if open[index].bytes > options.fileLimitBytes { return end(index, .corrupt(.tooLarge), &facts) }
        if open[index].isComplete { end(index, open[index].verdict(), &facts) }
    }

    private mutating func end(_ index: Int, _ outcome: DownloadOutcome, _ facts: inout [DeviceFact]) {
        let download = open.remove(at: index)
        finish(download.id, outcome, bytes: download.bytes, firstPartAt: download.firstPartAt, &facts)
    }

    private mutating func finish(_ id: String, _ outcome: DownloadOutcome, bytes: Int, firstPartAt: Instant, _ facts: inout [DeviceFact]) {
        if done.count == Self.doneLimit { done.removeFirst() }
        done.append(HermesMessageKey(id))
        facts.append(.downloadEnded(id: id, outcome: outcome, bytes: bytes, firstPartAt: firstPartAt))
    }

    private func isDone(_ id: String) -> Bool {
        done.contains(HermesMessageKey(id))
    }
}
