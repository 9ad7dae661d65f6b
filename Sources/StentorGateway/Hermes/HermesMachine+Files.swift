import StentorBase
import StentorWire

// What devices upload in parts.
extension HermesMachine {
    /// Takes one part of a file.
    mutating func takePart(
        _ index: Int, of device: HermesDevice, in bytes: UnsafeRawBufferPointer, _ decoded: consuming IncomingData?, at now: Instant
    ) {
        var name = fields.string(.id, in: bytes) ?? ""
        guard !name.withUTF8({ device.failed.contains(UnsafeRawBufferPointer($0)) }) else { return }
        let part = fields.integer(.part) ?? 0
        let parts = fields.integer(.parts) ?? 1
        let constants = Upload.Constants(
            kind: fields.string(.kind, in: bytes), mime: fields.string(.mime, in: bytes), filename: fields.string(.filename, in: bytes),
            caption: fields.string(.caption, in: bytes))
        let upload = device.upload(name) ?? begin(Upload(name: name, parts: parts, constants: constants, socket: index), device, in: bytes)
        if upload.constants != constants { violation(index, "part_fields_changed", name) }
        var data = decoded ?? incomingData(upload.sink(for: part), in: bytes)
        let isValid = data.finish()
        if let wrong = parts != upload.parts ? "parts_changed" : part < 0 || part >= parts ? "part_range" : isValid ? nil : "bad_base64" {
            violation(index, wrong, name)
            return spoil(upload, of: device, "media_corrupt", wrong)
        }
        judge(index, upload, part, data.count)
        guard upload.take(part, bytes: data.count, data.sink) else { return spoil(upload, of: device, "media_corrupt", "interleaved") }
        device.sending = upload.next < parts ? name : nil
        if upload.bytes > options.fileLimit || parts > (options.fileLimit + PhotoSource.partBytes - 1) / PhotoSource.partBytes {
            return spoil(upload, of: device, "media_too_large", "too_large")
        }
        if upload.isComplete { return complete(upload, of: device, at: now) }
        upload.deadline = now + options.assemblyTimeout
    }

    private mutating func begin(_ upload: Upload, _ device: HermesDevice, in bytes: UnsafeRawBufferPointer) -> Upload {
        counts.uploadsBegun += 1
        noteID(upload.socket, of: device, in: bytes)
        if upload.constants.kind != "image" { violation(upload.socket, "media_kind", upload.constants.kind ?? "") }
        if upload.constants.mime?.hasPrefix("image/") != true { violation(upload.socket, "media_mime", upload.constants.mime ?? "") }
        device.uploads.append(upload)
        return upload
    }

    /// Judges the size of a part and its place in the row.
    private mutating func judge(_ index: Int, _ upload: Upload, _ part: Int, _ count: Int) {
        let full = PhotoSource.partBytes
        let isShortLast = part == upload.parts - 1 && count < full && (count > 0 || upload.parts == 1)
        if count != full, !isShortLast { violation(index, "part_size", "part \(part) of \(upload.parts): \(count) bytes") }
        if upload.has(part) {
            violation(index, "part_repeated", "part \(part) of \(upload.parts)")
        } else if part != upload.next {
            violation(index, "part_order", "part \(part), not \(upload.next)")
        }
    }

    private mutating func complete(_ upload: Upload, of device: HermesDevice, at now: Instant) {
        device.uploads.removeAll { $0 === upload }
        device.sending = nil
        counts.uploadsComplete += 1
        counts.uploadBytes += upload.bytes
        var text = "received \(upload.name): \(upload.bytes) bytes, sha256 \(upload.digest().hex)"
        if let caption = upload.constants.caption, !caption.isEmpty { text += " " + caption }
        confirm(device, text, at: now)
    }

    /// Frees an upload that will not be whole; what else comes of it is ignored.
    mutating func drop(_ upload: Upload, of device: HermesDevice, _ reason: String) {
        device.uploads.removeAll { $0 === upload }
        var name = upload.name
        _ = name.withUTF8 { device.failed.insert(UnsafeRawBufferPointer($0)) }
        device.sending = nil
        counts.corrupt[reason, default: 0] += 1
        counts.corruptBytes += upload.bytes
    }

    private mutating func spoil(_ upload: Upload, of device: HermesDevice, _ code: String, _ reason: String) {
        drop(upload, of: device, reason)
        push(device, error(code, "\(upload.name): \(reason)", isFatal: false))
    }
}
