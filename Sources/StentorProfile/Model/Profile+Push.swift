import StentorBase

extension Profile {
    /// Where numbers are pushed to, and how.
    public struct Push: Sendable {
        /// Base URL of the Pushgateway, `http` or `https`, with a path prefix if it has one.
        public let url: String
        /// Time between two pushes, at least 1 s; default 15 s.
        public let every: Duration
        /// Job of the grouping key; default `stentor`.
        public let job: String
        /// Labels added to each series, in the profile's order.
        public let labels: [Label]
        /// Names of ``labels`` that are part of the grouping key.
        public let group: [String]
        /// What happens to the group when the run ends; default keep.
        public let onFinish: OnFinish
        /// Whether the run fails when the last push did; default false.
        public let isRequired: Bool
        /// How pushes authenticate; default none.
        public let credentials: PushCredentials
        /// The time that one request may take; at least 100 ms, default 5 s.
        public let timeout: Duration
        /// Which proxy pushes go through; default none.
        public let proxy: PushProxy
        /// Path of a PEM file with the authorities to trust instead of the system's; nil trusts the system's.
        public let caFile: String?
    }

    /// A label of pushed series.
    public struct Label: Sendable, Equatable {
        /// Name: a Prometheus label name that is not reserved.
        public let name: String
        /// Value.
        public let value: String
    }

    /// What happens to the pushed group when the run ends.
    public enum OnFinish: String, CaseIterable, Sendable {
        /// The last values stay.
        case keep
        /// The group is deleted.
        case delete
    }

    /// How pushes authenticate.
    public enum PushCredentials: Sendable, Equatable {
        /// Not at all.
        case none
        /// Basic authentication (RFC 7617).
        case basic(username: Secret, password: Secret)
        /// Bearer token (RFC 6750).
        case bearer(Secret)
        /// Path of a file whose one line is the bearer token.
        case bearerFile(String)
    }

    /// Which proxy pushes go through.
    public enum PushProxy: String, CaseIterable, Sendable {
        /// None, whatever the environment says.
        case none
        /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
        case environment
    }
}
