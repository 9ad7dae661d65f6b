import StentorBase

/// A step of a path into a profile.
enum PathStep: Hashable {
    case key(String)
    case index(Int)
}

extension [PathStep] {
    /// The path as `--set` takes it, for instance `load[0].hold`.
    var text: String {
        reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}

/// One resolved value: what `origins` and the resolved YAML are made of.
struct ResolvedValue {
    let path: [PathStep]
    let value: String
    let isQuoted: Bool
    let source: Profile.Origin.Source
}

/// What the decoding of one profile shares: the faults, the resolved values, and what the caller gave.
final class Decoding {
    let faults: FaultList
    let options: DecodingOptions
    /// Folder of the profile with a trailing slash, or empty for the working directory.
    let folder: String
    private(set) var resolved: [ResolvedValue] = []

    init(file: String, options: DecodingOptions) {
        faults = FaultList(file: file)
        self.options = options
        folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    }

    func record(_ value: String, isQuoted: Bool, at path: [PathStep], from source: Profile.Origin.Source) {
        resolved.append(ResolvedValue(path: path, value: value, isQuoted: isQuoted, source: source))
    }

    /// A path of the profile, relative to the profile's folder.
    func resolvedPath(_ path: String) -> String {
        path.hasPrefix("/") ? path : folder + path
    }
}

extension YAMLMark {
    var source: Profile.Origin.Source {
        flag.map { .flag($0) } ?? .profile(line: line)
    }
}
