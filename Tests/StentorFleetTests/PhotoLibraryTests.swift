import Foundation
import StentorBase
import StentorWire
import Testing

@testable import StentorFleet

@Suite struct `The photo library` {
    private static let partBytes = 3000

    /// What a receiver makes of a photo: each part decoded on its own, as a whole base64 text, and put together.
    private static func received(_ photo: PhotoLibrary.Photo, of library: PhotoLibrary) throws -> (parts: [Int], bytes: [UInt8]) {
        var sizes: [Int] = []
        var bytes: [UInt8] = []
        for part in photo.parts {
            let text = library.encoded.withUnsafeBytes { Array($0[part.range]) } + part.tail
            let raw = try #require(Data(base64Encoded: Data(text)), "a part is a base64 text of its own")
            sizes.append(raw.count)
            bytes += raw
        }
        return (sizes, bytes)
    }

    @Test(
        arguments: [
            (0, [0]), (1, [1]), (2, [2]), (3, [3]), (4, [4]), (2999, [2999]), (3000, [3000]), (3001, [3000, 1]), (5999, [3000, 2999]),
            (6000, [3000, 3000]), (6001, [3000, 3000, 1]), (7777, [3000, 3000, 1777]),
        ])
    func `the parts of a photo decode to its bytes and digest`(size: Int, parts: [Int]) throws {
        let library = PhotoLibrary(sizes: size...size, partBytes: Self.partBytes, seed: 9)
        let photo = try #require(library.photos.first)
        let (sizes, bytes) = try Self.received(photo, of: library)
        #expect(library.photos.count == 1)
        #expect(photo.bytes == size && bytes.count == size)
        #expect(sizes == parts)
        #expect(photo.digest == SHA256Digest(of: bytes))
        #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF, 0xE0].prefix(size)))
        #expect(photo.parts.allSatisfy { $0.tail.count <= 4 })
    }

    @Test func `sizes are spread over the range with both ends, and all photos are beginnings of the largest`() throws {
        let library = PhotoLibrary(sizes: 1000...9000, partBytes: Self.partBytes, seed: 9)
        #expect(library.photos.map(\.bytes) == [1000, 2142, 3285, 4428, 5571, 6714, 7857, 9000])
        let whole = try Self.received(#require(library.photos.last), of: library).bytes
        for photo in library.photos {
            let bytes = try Self.received(photo, of: library).bytes
            #expect(bytes == Array(whole.prefix(photo.bytes)))
            #expect(photo.digest == SHA256Digest(of: bytes))
        }
    }

    @Test(arguments: [(5, [5]), (6, [5, 6]), (8, [5, 6, 7, 8])])
    func `a narrow range has as many photos as sizes`(largest: Int, sizes: [Int]) {
        #expect(PhotoLibrary(sizes: 5...largest, partBytes: 3, seed: 1).photos.map(\.bytes) == sizes)
    }

    @Test func `the same seed gives the same photos, another one others`() {
        func digest(_ seed: UInt64) -> SHA256Digest? { PhotoLibrary(sizes: 500...500, partBytes: 300, seed: seed).photos.first?.digest }
        #expect(digest(1) == digest(1))
        #expect(digest(1) != digest(2))
    }

    @Test func `noise does not repeat within a photo`() throws {
        let library = PhotoLibrary(sizes: 8003...8003, partBytes: Self.partBytes, seed: 4)
        let bytes = try Self.received(library.photos[0], of: library).bytes
        let words = stride(from: 16, to: 8000, by: 8).map { Array(bytes[$0..<$0 + 8]) }
        #expect(Set(words).count == words.count)
    }
}
