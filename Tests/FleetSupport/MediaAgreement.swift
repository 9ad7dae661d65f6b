import StentorFleet
import StentorMetrics
import Testing

/// The counts of one run, or of several against one gateway.
public struct CountedRuns {
    private let results: [RunResult]

    /// Takes runs whose counts are added.
    public init(_ results: [RunResult]) { self.results = results }

    /// A count over all runs.
    public subscript(counter: Counter) -> Int { results.reduce(0) { $0 + Int($1.count(counter)) } }
}

extension GatewayTruth {
    /// Both ends agree on connections, files and prompts, as far as a cut leaves it decided.
    ///
    ///     begun <= uploads sent          of a first part that died in a kernel the gateway knows nothing
    ///     complete + connection_lost = begun
    ///     confirmed + late <= confirmations sent <= complete
    ///     downloads started <= photos sent       what found no socket, or one that was being cut, never began
    ///     answers of the gateway's book − ours <= prompts open        their `prompt_done` died on its way
    ///
    /// - Parameter isOrderly: Nothing was cut: all of them are equal, but for what the gateway sent in the instant in which a device left.
    public func expectMediaAgreement(
        with ours: CountedRuns, isOrderly: Bool, _ name: String, location: SourceLocation = #_sourceLocation
    ) {
        let name = Comment(rawValue: name)
        #expect(counts("violations").isEmpty, name, sourceLocation: location)
        #expect(ours[.ready] <= count("hellos") && count("hellos") <= ours[.connects], name, sourceLocation: location)
        #expect(ours[.connects] <= count("connections") && count("connections") <= ours[.dials], name, sourceLocation: location)
        expectUploads(ours, isOrderly, name, location)
        expectDownloads(ours, isOrderly, name, location)
        expectPrompts(ours, isOrderly, name, location)
    }

    /// Of the photos that were cut off between two parts the gateway has none whole; of the others all, once nothing else is missing.
    ///
    /// - Parameter cuts: Connections that were cut off behind a part of a photo, and for no other reason.
    public func expectPhotosCut(_ cuts: Int, _ ours: CountedRuns, _ name: String, location: SourceLocation = #_sourceLocation) {
        let name = Comment(rawValue: name)
        let arrived = ours[.uploadsConfirmed] + ours[.uploadsLate]
        #expect(ours[.uploadsLost] >= cuts && count("uploads", "complete") <= ours[.uploadsSent] - cuts, name, sourceLocation: location)
        // A machine that is slow beyond a photo's deadline leaves whole ones unconfirmed.
        guard ours[.uploadsLost] == cuts else { return }
        #expect(count("uploads", "complete") == arrived && count("uploads", "bytes") == ours[.uploadsBytes], name, sourceLocation: location)
    }

    private func expectUploads(_ ours: CountedRuns, _ isOrderly: Bool, _ name: Comment, _ location: SourceLocation) {
        let (begun, complete, confirmed) = (count("uploads", "begun"), count("uploads", "complete"), count("uploads", "confirmed"))
        let spoiled = counts("uploads", "corrupt")
        #expect(ours[.uploadsInDoubt] == 0 && ours[.uploadsCorrupt] == 0, name, sourceLocation: location)
        #expect(spoiled.keys.allSatisfy { $0 == "connection_lost" }, name, sourceLocation: location)
        #expect(complete + spoiled.values.reduce(0, +) == begun, name, sourceLocation: location)
        // Confirmed means here that byte count and SHA-256 are those of the photo.
        let arrived = ours[.uploadsConfirmed] + ours[.uploadsLate]
        #expect(begun <= ours[.uploadsSent] && arrived <= confirmed && confirmed <= complete, name, sourceLocation: location)
        #expect(count("uploads", "bytes") <= ours[.uploadsBytes], name, sourceLocation: location)
        guard isOrderly else { return }
        #expect(arrived == complete && complete == ours[.uploadsSent], name, sourceLocation: location)
        #expect(count("uploads", "bytes") == ours[.uploadsBytes], name, sourceLocation: location)
    }

    private func expectDownloads(_ ours: CountedRuns, _ isOrderly: Bool, _ name: Comment, _ location: SourceLocation) {
        let sent = count("photos", "sent")
        #expect(ours[.downloadsOpen] == 0 && ours[.downloadsCorrupt] == 0, name, sourceLocation: location)
        #expect(ours[.downloadsVerified] == ours[.downloadsComplete] && ours[.downloadsStarted] <= sent, name, sourceLocation: location)
        #expect(ours[.downloadsBytes] <= count("photos", "bytes"), name, sourceLocation: location)
        guard isOrderly else { return }
        #expect(ours[.downloadsIncomplete] == 0 && sent - ours[.downloadsStarted] <= ours[.disconnects], name, sourceLocation: location)
    }

    private func expectPrompts(_ ours: CountedRuns, _ isOrderly: Bool, _ name: Comment, _ location: SourceLocation) {
        let (sent, answered) = (count("prompts", "sent"), count("prompts", "answered"))
        let closed = ours[.promptsAnswered] + ours[.promptsSubstituted]
        #expect(ours[.promptsReceived] <= sent && closed <= answered, name, sourceLocation: location)
        #expect(answered - closed <= ours[.promptsOpen], name, sourceLocation: location)
        #expect(ours[.promptsSubstituted] <= count("prompts", "substituted"), name, sourceLocation: location)
        #expect(ours[.promptsExpired] + ours[.promptsSuperseded] == 0, name, sourceLocation: location)
        guard isOrderly else { return }
        #expect(sent - ours[.promptsReceived] <= ours[.disconnects], name, sourceLocation: location)
    }
}
