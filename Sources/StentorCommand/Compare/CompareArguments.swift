import StentorReport

/// What `stentor compare` was asked to do.
public struct CompareArguments: Sendable, Equatable {
    /// The run directories of the base, or `history:` references to them, at least one.
    public var base: [String]
    /// The run directories of the candidate, or `history:` references to them, at least one.
    public var candidate: [String]
    /// The file of the history that references are looked up in; nil: the environment's, or the user's own.
    public var database: String?
    /// Whether runs that are not alike are compared all the same.
    public var isForced = false
    /// Whether both sides are one version, so that every difference is noise.
    public var isCalibration = false
    /// What makes the comparison fail; nil: nothing does.
    public var failureRule: FailureRule?
    /// The folder that `compare.html`, `compare.json`, `compare.txt` and `junit.xml` are written to; nil: nowhere.
    public var outputDirectory: String?
    /// Where the page for people goes besides; nil: nowhere.
    public var htmlFile: String?
    /// Where a JUnit file goes besides; nil: nowhere.
    public var junitFile: String?
    /// Whether the result goes to stdout as JSON instead of text.
    public var printsJSON = false

    /// Asks for a comparison of two groups of runs.
    public init(base: [String], candidate: [String]) {
        (self.base, self.candidate) = (base, candidate)
    }
}
