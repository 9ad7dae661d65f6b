/// Something that both ends of a run count: sums of our counts and of a gateway's that are equal when no connection broke.
public struct AgreementRule: Sendable, Equatable {
    /// What is compared.
    public let name: String
    /// Dotted names of our counts.
    public let ours: [String]
    /// Dotted paths in the gateway's totals; one that ends in `?` may be missing, and is 0 then.
    public let theirs: [String]

    /// Makes a rule.
    public init(_ name: String, ours: [String], theirs: [String]) {
        (self.name, self.ours, self.theirs) = (name, ours, theirs)
    }
}
