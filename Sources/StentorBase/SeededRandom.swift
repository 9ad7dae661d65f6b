/// A reproducible random source: xoshiro256** seeded through SplitMix64.
///
/// The same seed and stream give the same values on every machine and in every version. Not for secrets or mask keys.
/// Source of both algorithms: Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2021 (prng.di.unimi.it).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var s0: UInt64
    private var s1: UInt64
    private var s2: UInt64
    private var s3: UInt64

    /// Makes the generator of one stream of a seed; streams of one seed are independent of each other.
    ///
    /// - Parameters:
    ///   - seed: The run's seed.
    ///   - stream: Which of the seed's streams, for instance a device's index.
    public init(seed: UInt64, stream: UInt64 = 0) {
        var mixer = SplitMix64(state: seed ^ SplitMix64.mixed(stream &+ 0x9E37_79B9_7F4A_7C15))
        s0 = mixer.next()
        s1 = mixer.next()
        s2 = mixer.next()
        s3 = mixer.next()
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        let result = Self.rotated(s1 &* 5, by: 7) &* 9
        let t = s1 << 17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= t
        s3 = Self.rotated(s3, by: 45)
        return result
    }

    /// A uniform number in 0 ..< 1, from the upper 53 bits.
    public mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Whether an event of this probability (0...1) happens; draws nothing when it is 0.
    public mutating func chance(_ probability: Double) -> Bool {
        probability > 0 && unit() < probability
    }

    /// A uniform whole number in the range, both ends included.
    public mutating func integer(in range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// A uniform duration in the range, to the nanosecond.
    public mutating func duration(in range: ClosedRange<Duration>) -> Duration {
        let low = range.lowerBound.wholeNanoseconds
        let high = range.upperBound.wholeNanoseconds
        return .nanoseconds(low == high ? low : Int64.random(in: low...high, using: &self))
    }

    /// An exponentially distributed duration with this mean: the gap between two events of a Poisson process.
    public mutating func exponential(mean: Duration) -> Duration {
        // unit() < 1, so the logarithm's argument is never 0.
        .nanoseconds(Int64(-Double(mean.wholeNanoseconds) * FloatingPointMath.logarithm(1 - unit())))
    }

    /// A random (version 4) UUID in lower case (RFC 9562 § 5.4).
    public mutating func uuid() -> String {
        UUIDText.format(high: next(), low: next())
    }

    private static func rotated(_ value: UInt64, by count: UInt64) -> UInt64 {
        (value << count) | (value >> (64 - count))
    }
}

/// Mixes a counter into well-spread 64-bit values; also the hash of names into seeds.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts at a state.
    public init(state: UInt64) {
        self.state = state
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// The finaliser alone: a bijection of 64 bits.
    public static func mixed(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A stable 64-bit hash of a text (FNV-1a over its UTF-8, then mixed): the default seed of a profile's name.
    public static func hash(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return mixed(hash)
    }
}

/// Formats UUIDs without Foundation.
public enum UUIDText {
    /// The lower-case text of a version 4 UUID made of these bits; six of them are overwritten by version and variant.
    public static func format(high: UInt64, low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            let bits: (UInt64, UInt64) = ((high & ~0xF000) | 0x4000, (low & ~(0xC000 << 48)) | (0x8000 << 48))
            var at = 0
            for nibble in 0..<32 {
                if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                    buffer[at] = UInt8(ascii: "-")
                    at += 1
                }
                let word = nibble < 16 ? bits.0 : bits.1
                let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (nibble % 16))) & 15
                buffer[at] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
                at += 1
            }
            return at
        }
    }
}
