import StentorBase
import StentorMetrics

extension SummaryPage {
    /// Counts by group; a group in which nothing happened is left out.
    func counts() -> [String] {
        texts() + deliveries() + photos() + prompts() + connections() + protocolLines() + family("dial failures", .dialFailures)
            + family("losses", .losses) + family("close codes", .closeCodes) + family("http statuses", .httpStatuses)
            + family("server errors", .serverErrors) + family("bad photos", .downloadFailures)
    }

    private func texts() -> [String] {
        group(
            "texts",
            [
                (.messagesSent, "sent"), (.messagesAnswered, "answered"), (.messagesLate, "late"), (.messagesLost, "lost"),
                (.messagesInDoubt, "in doubt"), (.messagesDuplicated, "duplicated"), (.messagesReordered, "reordered"),
                (.messagesNotSent, "not sent"), (.messagesUnmatched, "unmatched"),
            ], whereAny: [(.messagesCorrupt, "corrupt"), (.messagesUnheard, "unheard")])
    }

    private func deliveries() -> [String] {
        group(
            "deliveries",
            [
                (.deliveriesExpected, "expected"), (.deliveriesDelivered, "delivered"), (.deliveriesLate, "late"),
                (.deliveriesLost, "lost"), (.deliveriesAway, "away"), (.deliveriesInDoubt, "in doubt"),
                (.deliveriesDuplicated, "duplicated"), (.deliveriesReordered, "reordered"), (.deliveriesUnexpected, "unexpected"),
            ], whereAny: [(.deliveriesReplayed, "replayed"), (.deliveriesUncertain, "uncertain")])
    }

    private func photos() -> [String] {
        group(
            "photos sent",
            [
                (.uploadsSent, "sent"), (.uploadsConfirmed, "confirmed"), (.uploadsLate, "late"), (.uploadsCorrupt, "corrupt"),
                (.uploadsLost, "lost"), (.uploadsInDoubt, "in doubt"), (.uploadsNotSent, "not sent"),
            ], bytes: .uploadsBytes)
            + group(
                "photos got",
                [
                    (.downloadsStarted, "begun"), (.downloadsComplete, "complete"), (.downloadsVerified, "verified"),
                    (.downloadsCorrupt, "corrupt"), (.downloadsIncomplete, "incomplete"), (.downloadsByURL, "by URL"),
                    (.downloadsOpen, "open"),
                ], bytes: .downloadsBytes)
    }

    private func prompts() -> [String] {
        group(
            "prompts",
            [
                (.promptsReceived, "received"), (.promptsAnswered, "answered"), (.promptsSubstituted, "substituted"),
                (.promptsExpired, "expired"), (.promptsSuperseded, "superseded"), (.promptsIgnored, "ignored"), (.promptsOpen, "open"),
            ])
    }

    private func connections() -> [String] {
        group(
            "connections",
            [
                (.dials, "dialled"), (.connects, "upgraded"), (.ready, "ready"), (.disconnects, "ended"), (.reconnects, "reconnected"),
            ])
    }

    private func protocolLines() -> [String] {
        group(
            "frames",
            [(.framesSent, "sent"), (.framesReceived, "received"), (.framesUnknown, "unknown"), (.framesMalformed, "malformed")],
            whereAny: [(.framesWrongKind, "of the wrong kind")])
            + transferred() + group("pings", [(.pingsSent, "sent"), (.pongsReceived, "answered"), (.pongsMissed, "missed")])
    }

    private func transferred() -> [String] {
        let (sent, received) = (snapshot.count(.bytesSent), snapshot.count(.bytesReceived))
        guard sent != 0 || received != 0 else { return [] }
        let items = ["\(Quantity.bytesText(Double(sent))) sent", "\(Quantity.bytesText(Double(received))) received"]
        return layout.list("bytes", items, indent: Self.margin)
    }

    /// One group; what few dialects have is shown where there is any.
    private func group(
        _ head: String, _ counters: [(Counter, String)], bytes: Counter? = nil, whereAny: [(Counter, String)] = []
    ) -> [String] {
        let counters = counters + whereAny.filter { snapshot.count($0.0) != 0 }
        guard counters.contains(where: { snapshot.count($0.0) != 0 }) else { return [] }
        var items = counters.map { "\(snapshot.count($0.0)) \($0.1)" }
        if let bytes { items.append(Quantity.bytesText(Double(snapshot.count(bytes)))) }
        return layout.list(head, items, indent: Self.margin)
    }

    private func family(_ head: String, _ family: LabelFamily) -> [String] {
        let labels = snapshot.labels(family)
        return labels.isEmpty ? [] : layout.list(head, labels.map { "\($0.count) \($0.label)" }, indent: Self.margin)
    }
}
