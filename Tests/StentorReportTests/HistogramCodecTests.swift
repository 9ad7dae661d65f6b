import Foundation
import StentorMetrics
import StentorWire
import TestSupport
import Testing

@testable import StentorReport

struct HistogramCodecTests {
    private func histogram(_ values: [(UInt64, UInt64)]) -> Histogram {
        var histogram = Histogram()
        for (value, times) in values { histogram.record(value, times: times) }
        return histogram
    }

    private func buckets(_ histogram: Histogram) -> [[UInt64]] { histogram.nonZeroBuckets.map { [UInt64($0.index), $0.count] } }

    // Worked out by hand from the definition: ZigZag of n is 2n or −2n − 1; then seven bits a byte, lowest first, the ninth whole.
    @Test(
        arguments: [
            (0, [0x00]), (-1, [0x01]), (1, [0x02]), (63, [0x7E]), (64, [0x80, 0x01]), (-64, [0x7F]), (-65, [0x81, 0x01]),
            (8191, [0xFE, 0x7F]), (8192, [0x80, 0x80, 0x01]),
            (Int64.max, [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            (Int64.min, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
        ] as [(Int64, [UInt8])])
    func `a number is ZigZag LEB128 of at most nine bytes`(number: Int64, bytes: [UInt8]) {
        var written: [UInt8] = []
        HistogramCodec.append(number, to: &written)
        #expect(written == bytes)
        var at = 0
        #expect(HistogramCodec.readNumber(bytes, &at) == number)
        #expect(at == bytes.count)
    }

    @Test func `the content is a header and counts, runs of zeros as one number`() throws {
        // Values 0 and 3 once, 7 three times: zeros in buckets 1...2 and 4...6.
        let packed = HistogramCodec.encode(histogram([(0, 1), (3, 1), (7, 3)]), Deflater())
        #expect(packed[..<4] == [0x1C, 0x84, 0x93, 0x14])
        let content = try #require(Inflater.decompress(packed[8...], limit: 1000))
        let expected: [UInt8] =
            [0x1C, 0x84, 0x93, 0x13, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1]
            + [0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0] + [2, 3, 2, 5, 6]
        #expect(content == expected)
    }

    @Test(
        arguments: [
            [], [(0, 1)], [(1, 1), (3, 1)], [(Histogram.maximumValue, 2)], [(0, 5), (255, 1), (256, 1), (1 << 40, 1 << 40)],
        ] as [[(UInt64, UInt64)]])
    func `what was encoded is read back`(values: [(UInt64, UInt64)]) throws {
        let original = histogram(values)
        let read = try #require(HistogramCodec.decode(HistogramCodec.encode(original, Deflater())))
        #expect(buckets(read) == buckets(original))
        for percentile in Percentile.allCases where original.percentile(percentile) != nil {
            let (exact, found) = (Double(original.percentile(percentile) ?? 0), Double(read.percentile(percentile) ?? 0))
            #expect(found >= exact && found <= exact * (1 + Histogram.relativeError))
        }
    }

    @Test func `damaged bytes are refused`() {
        let whole = HistogramCodec.encode(histogram([(5, 2), (70_000, 1)]), Deflater())
        for length in 0..<whole.count { #expect(HistogramCodec.decode(Array(whole[..<length])) == nil) }
        for index in 0..<8 {
            var bytes = whole
            bytes[index] ^= 0x40
            #expect(HistogramCodec.decode(bytes) == nil)
        }
    }

    @Test func `a histogram with more buckets than there are is refused`() {
        // 40 bytes of header that promise one number: −7169 zeros.
        var content: [UInt8] = [0x1C, 0x84, 0x93, 0x13, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2]
        content += [0, 0, 0, 0, 0, 0, 0, 1] + [0x3F] + [UInt8](repeating: 0xFF, count: 7) + [0x3F, 0xF0, 0, 0, 0, 0, 0, 0]
        var zeros: [UInt8] = []
        HistogramCodec.append(Int64(-(Histogram.bucketCount + 1)), to: &zeros)
        content += zeros
        let packed = Deflater().compress(content)
        let size = UInt32(packed.count)
        let head: [UInt8] = [0x1C, 0x84, 0x93, 0x14, UInt8(size >> 24), UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255)]
        #expect(HistogramCodec.decode(head + packed) == nil)
    }

    @Test(.requiresHdrPython) func `HdrHistogram for Python writes what we read`() async throws {
        #expect(await HdrPython.isInstalled)
        let script = """
            import sys
            from hdrh.histogram import HdrHistogram
            h = HdrHistogram(1, 2**62 - 1, 2)
            for value, times in ((0, 3), (7, 1), (255, 2), (256, 4), (1_000_003, 5), (2**40 + 12345, 6)):
                h.record_value(value, times)
            print(h.encode().decode())
            """
        let text = try await HdrPython.run(script, []).trimmingCharacters(in: .whitespacesAndNewlines)
        let packed = try #require(Array(text.utf8).withUnsafeBytes { Base64.decode($0) })
        let read = try #require(HistogramCodec.decode(packed))
        let ours = histogram([(0, 3), (7, 1), (255, 2), (256, 4), (1_000_003, 5), (1 << 40 + 12345, 6)])
        #expect(buckets(read) == buckets(ours))
    }
}
