import StentorBase
import Testing

/// Quantities as Stentor prints them.
@Suite struct QuantityTextTests {
    private static let seconds = ["ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600]
    private static let bytes = ["B": 1.0, "KiB": 1024, "MiB": 1_048_576, "GiB": 1_073_741_824, "TiB": 1_099_511_627_776]

    /// What a text says, in the base unit, and the number in front of the unit.
    private static func read(_ text: String, _ units: [String: Double]) throws -> (value: Double, number: Double) {
        let parts = text.split(separator: " ").map(String.init)
        try #require(parts.count == 2, "\(text)")
        let number = try #require(Double(parts[0]), "\(text)")
        return (number * (try #require(units[parts[1]], "\(text)")), number)
    }

    /// Magnitudes between powers of ten, and on and beside every border of a unit.
    private static func magnitudes(_ borders: [Double]) -> [Double] {
        var random = SeededRandom(seed: 11, stream: 0)
        let spread = (0..<5000).map { _ -> Double in
            var value = 1 + 9 * random.unit()
            let exponent = Int(random.unit() * 14) - 8
            for _ in 0..<abs(exponent) { value = exponent < 0 ? value / 10 : value * 10 }
            return value
        }
        let beside = borders.flatMap { border in
            [0.99, 0.994, 0.9949, 0.995, 0.9951, 0.999, 0.9994, 0.9995, 0.9996, 0.99999, 1, 1.0001, 1.004, 1.005, 1.01].map { border * $0 }
        }
        return spread + beside
    }

    @Test(
        arguments: [
            (0, "0 s"), (0.9994, "999 ms"), (0.9996, "1.00 s"), (-0.9996, "-1.00 s"), (0.000_999_6, "1.00 ms"), (9.996e-7, "1.00 µs"),
            (1, "1.00 s"), (9.994, "9.99 s"), (9.996, "10.0 s"), (99.96, "100 s"), (119.4, "119 s"), (119.6, "1.99 min"), (120, "2.00 min"),
            (7196, "2.00 h"), (7200, "2.00 h"), (1.83, "1.83 s"), (0.0123, "12.3 ms"),
        ] as [(Double, String)])
    func `seconds read like this`(seconds: Double, text: String) {
        #expect(Quantity.secondsText(seconds) == text)
    }

    @Test(
        arguments: [
            (0, "0 B"), (1023.4, "1023 B"), (1023.6, "1.00 KiB"), (1024, "1.00 KiB"), (1_048_000, "1023 KiB"), (1_048_320, "1.00 MiB"),
            (-3_145_728, "-3.00 MiB"), (1_073_741_823, "1.00 GiB"), (5e15, "4547 TiB"), (Double.infinity, "inf B"),
        ] as [(Double, String)])
    func `bytes read like this`(bytes: Double, text: String) {
        #expect(Quantity.bytesText(bytes) == text)
    }

    @Test func `seconds are within half of the last digit, below the next unit, and keep their order`() throws {
        let limits = ["ns": 1000.0, "µs": 1000, "ms": 1000, "s": 120, "min": 120, "h": .infinity]
        try expectSound(Self.magnitudes([1e-6, 1e-3, 1, 120, 7200]), Self.seconds, limits, Quantity.secondsText)
    }

    @Test func `bytes are within half of the last digit, below the next unit, and keep their order`() throws {
        let limits = ["B": 1024.0, "KiB": 1024, "MiB": 1024, "GiB": 1024, "TiB": .infinity]
        try expectSound(Self.magnitudes([1024, 1_048_576, 1_073_741_824]).map { $0 + 1 }, Self.bytes, limits, Quantity.bytesText)
    }

    private func expectSound(
        _ values: [Double], _ units: [String: Double], _ limits: [String: Double], _ text: (Double) -> String
    ) throws {
        var before = 0.0
        for value in values.sorted() {
            let shown = text(value)
            let unit = String(shown.split(separator: " ")[1])
            let (read, number) = try Self.read(shown, units)
            #expect(number < (limits[unit] ?? 0), "\(value) is \(shown)")
            // Three digits of a number from 1 on; below it, two decimals; whole bytes.
            let error = unit == "B" ? 0.5 : max(0.005 * read, 0.005 * (units[unit] ?? 0))
            #expect(abs(read - value) <= error * 1.0001, "\(value) is \(shown)")
            #expect(read >= before * 0.999_999, "\(value) is \(shown), less than what is smaller")
            #expect(text(-value) == "-" + shown || read == 0)
            before = read
        }
    }

    @Test func `a fixed count of decimals is exact, also of large numbers`() {
        #expect(Quantity.fixed(123_456_789_012.999_999, decimals: 6).hasPrefix("12345678901"))
        #expect(!Quantity.fixed(123_456_789_012.999_999, decimals: 6).contains("-"))
        #expect(Quantity.fixed(-0.004, decimals: 2) == "0.00" && Quantity.fixed(0.995, decimals: 0) == "1")
        #expect(Quantity.fixed(1.999_999_6, decimals: 6) == "2.000000" && Quantity.fixed(41.07, decimals: 2) == "41.07")
    }
}
