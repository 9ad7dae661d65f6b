/// A question that the server puts to the device's user.
public struct PromptCard: Equatable, Sendable {
    /// One way to answer.
    public struct Option: Equatable, Sendable {
        /// What is sent to choose it.
        public let id: String
        /// Whether the server marks it as destructive.
        public let isDangerous: Bool

        /// Makes an option.
        public init(id: String, isDangerous: Bool = false) {
            self.id = id
            self.isDangerous = isDangerous
        }
    }

    /// What the server calls the card.
    public let id: String
    /// What kind of question it is, in the dialect's words; may be one that this version does not know.
    public let kind: String
    /// The ways to answer, in the server's order; empty: free text.
    public let options: [Option]

    /// Makes a card.
    public init(id: String, kind: String, options: [Option]) {
        self.id = id
        self.kind = kind
        self.options = options
    }
}

/// What a device means to do with a card.
public enum PromptAnswer: String, CaseIterable, Sendable {
    /// Agree, or take the first choice.
    case approve
    /// Refuse, or take the last choice.
    case deny
    /// Answer in own words, where the card allows it.
    case other
    /// Let it expire.
    case ignore
}

/// What goes out in answer to a card.
public struct PromptResponse: Equatable, Sendable {
    /// The chosen option; nil for free text.
    public let optionID: String?
    /// The words; nil if the option needs none.
    public let text: String?

    /// Makes a response.
    public init(optionID: String?, text: String? = nil) {
        self.optionID = optionID
        self.text = text
    }
}
