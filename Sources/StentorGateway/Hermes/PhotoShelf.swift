/// Photos that can be downloaded, the latest so many of them.
struct PhotoShelf {
    private var photos: [UUIDBits: PhotoSource.Photo] = [:]
    private var order: [UUIDBits] = []
    private var oldest = 0

    /// How many photos stay; each costs some bytes, as they share their content.
    static let limit = 10_000

    /// Puts a photo on the shelf in place of the oldest.
    mutating func add(_ photo: PhotoSource.Photo, _ id: UUIDBits) {
        photos[id] = photo
        guard order.count == Self.limit else { return order.append(id) }
        photos[order[oldest]] = nil
        order[oldest] = id
        oldest = (oldest + 1) % Self.limit
    }

    /// The photo at a path `/media/ID`.
    func photo(at path: String) -> PhotoSource.Photo? {
        guard path.hasPrefix("/media/") else { return nil }
        let id = Array(path.utf8.dropFirst(7)).withUnsafeBytes { UUIDBits(lowerCase: $0) }
        return id.flatMap { photos[$0] }
    }
}
