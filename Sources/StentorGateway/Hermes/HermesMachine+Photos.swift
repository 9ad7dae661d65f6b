import StentorBase
import StentorWire

// Photos to devices.
extension HermesMachine {
    /// Sends a photo to a device; its caption names byte count and SHA-256.
    mutating func sendPhoto(to device: HermesDevice, bytes: Int) {
        photoSource.prepare()
        let length = options.photoFault.needsTwoParts ? max(bytes, PhotoSource.partBytes + 1) : bytes
        counts.photosSent += 1
        counts.photoBytes += length
        let photo = PhotoSource.Photo(length: length, number: counts.photosSent)
        let caption = "bytes=\(length) sha256=\(photoSource.digest(of: photo).hex)"
        let id = UUIDBits(&random)
        if options.photoBy == .url {
            downloads.add(photo, id)
            let start = beginPhoto(id, caption)
            output.member("url", "\(origin)/media/\(id.text)")
            push(device, output.end(start))
            return
        }
        let order = options.photoFault.order(of: photo.parts)
        for (place, part) in order.enumerated() {
            let fault = place == order.count - 1 ? options.photoFault : .none
            sendPart(part, of: photo, id, caption, fault, to: device)
        }
    }

    private mutating func beginPhoto(_ id: UUIDBits, _ caption: String) -> Int {
        let start = output.begin("media")
        output.member("id", id)
        output.append(",\"kind\":\"image\"")
        output.member("mime", "image/jpeg")
        output.member("filename", "photo.jpg")
        output.member("caption", caption)
        return start
    }

    private mutating func sendPart(
        _ part: Int, of photo: PhotoSource.Photo, _ id: UUIDBits, _ caption: String, _ fault: PhotoFault, to device: HermesDevice
    ) {
        var (shared, rest) = photoSource.encoded(photo, part: part)
        let head = beginPhoto(id, caption)
        output.member("part", fault == .outOfRange ? photo.parts : part)
        output.member("parts", fault == .partsChanged ? photo.parts + 1 : photo.parts)
        output.open("data")
        output.append("\"")
        if fault == .badBase64 {
            output.append("*")
            if shared.isEmpty { rest = Array(rest.dropFirst()) } else { shared = 1..<shared.upperBound }
        }
        if options.escapeSlashes {
            // Where slashes are escaped the shared text does not fit; the whole frame is written out.
            photoSource.base64.withUnsafeBytes { output.append(base64: UnsafeRawBufferPointer(rebasing: $0[shared])) }
            shared = 0..<0
        }
        let middle = output.bytes.count
        rest.withUnsafeBytes { output.append(base64: $0) }
        output.append("\"")
        let end = output.end(head).upperBound
        for index in device.sockets where sockets[index].canSend {
            output.add(.sendPhotoPart(socket: index, head: head..<middle, shared: shared, tail: middle..<end))
        }
    }
}

extension PhotoFault {
    /// The order in which the parts of a photo go out.
    func order(of parts: Int) -> [Int] {
        let order = Array(0..<parts)
        switch self {
        case .shuffle: return order.reversed()
        case .duplicate: return [0] + order
        case .missing: return order.dropLast()
        case .none, .badBase64, .outOfRange, .partsChanged: return order
        }
    }
}
