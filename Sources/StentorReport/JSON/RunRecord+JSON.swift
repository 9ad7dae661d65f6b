extension RunRecord {
    /// The content of `run.json`.
    var json: JSONTree {
        .object([
            "format": .integer(RunFiles.format), "run_id": .text(identity.runID), "profile": .text(identity.profile),
            "profile_digest": .filledText(identity.profileDigest),
            "seed": .unsigned(seed), "version": .text(identity.version), "dialect": .text(identity.dialect),
            "target_host": .text(identity.targetHost), "server_version": .filledText(serverVersion), "shard": .filledText(identity.shard),
            "labels": labelsJSON, "host": host.json, "started_at": .text(UTCTime.text(identity.startedAtSeconds)),
            "ended_at": endedAtSeconds.map { .text(UTCTime.text($0)) } ?? .null, "planned_seconds": .number(plannedSeconds),
        ])
    }

    private var labelsJSON: JSONTree {
        // A name twice would make an object that readers understand differently.
        let last = Dictionary(labels.map { ($0.name, $0.value) }) { $1 }
        let names = labels.map(\.name).enumerated().filter { index, name in labels[..<index].allSatisfy { $0.name != name } }
        return .object(names.map { JSONTree.Member(key: $0.element, value: .text(last[$0.element] ?? "")) })
    }
}

extension HostFacts {
    var json: JSONTree {
        .object([
            "hostname": .text(hostname), "cores": .integer(cores), "kernel": .text(kernel), "memory_bytes": .integer(memoryBytes),
        ])
    }
}
