import StentorBase

extension Profile {
    /// The simulated devices.
    public struct Devices: Sendable, Equatable {
        /// How many there are, 1...1,000,000.
        public let count: Int
        /// How their ids are made; default `device-{index}`.
        public let id: IDPattern
        /// Name that a device reports, the same for all; default `Stentor`.
        public let name: String
        /// Platform that devices outside cohorts report; default `ios`.
        public let platform: String
        /// App version that devices outside cohorts report; default `1.0.0`.
        public let appVersion: String
        /// Groups of devices whose shares add up to 1; empty when there is one kind of device only.
        public let cohorts: [Cohort]

        /// The cohort of a device, the same for a seed and index in every run; nil when there are no cohorts.
        ///
        /// Each device is drawn by a hash of (seed, index), so a cohort's size is its share up to chance, and does not change when ``count`` does.
        public func cohort(ofDevice index: Int, seed: UInt64) -> Cohort? {
            var random = SeededRandom(seed: seed ^ Self.cohortSalt, stream: UInt64(index))
            var left = random.unit()
            for cohort in cohorts {
                left -= cohort.share
                if left < 0 { return cohort }
            }
            return cohorts.last
        }

        // Streams of the run's seed belong to the fleet: a salt of its own keeps these draws apart from its.
        private static let cohortSalt = SplitMix64.hash("stentor cohort")
    }

    /// A group of devices.
    public struct Cohort: Sendable, Equatable {
        /// Name, unique within the profile, 1...64 of `A-Z a-z 0-9 . _ -`.
        public let name: String
        /// Part of all devices, more than 0, at most 1.
        public let share: Double
        /// Platform that its devices report; default: the one of all devices.
        public let platform: String
        /// App version that its devices report; default: the one of all devices.
        public let appVersion: String
    }

    /// How device ids are made: a text around `{index}` or `{uuid}`.
    public struct IDPattern: Sendable, Equatable {
        /// What varies between the ids.
        public enum Variable: String, Sendable {
            /// The device's index, from 0.
            case index
            /// A version 4 UUID made of the seed and the index.
            case uuid
        }

        /// Text before the variable part.
        public let prefix: String
        /// The variable part.
        public let variable: Variable
        /// Text after the variable part.
        public let suffix: String

        /// The id of a device: the same for a seed and index in every run.
        public func id(ofDevice index: Int, seed: UInt64) -> String {
            switch variable {
            case .index:
                return "\(prefix)\(index)\(suffix)"
            case .uuid:
                var random = SeededRandom(seed: seed ^ Self.salt, stream: UInt64(index))
                return prefix + random.uuid() + suffix
            }
        }

        private static let salt = SplitMix64.hash("stentor device id")
    }
}
