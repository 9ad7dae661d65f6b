@testable import StentorWire

/// Bytes of a hexadecimal text; blanks are ignored.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }
    var bytes: [UInt8] = []
    var rest = digits[...]
    while !rest.isEmpty {
        guard let byte = UInt8(rest.prefix(2), radix: 16) else { preconditionFailure("hex: bad digits") }
        bytes.append(byte)
        rest = rest.dropFirst(2)
    }
    return bytes
}

/// A frame written byte by byte after RFC 6455 § 5.2, independent of the encoder under test.
func rawFrame(_ first: UInt8, _ payload: [UInt8] = [], key: [UInt8]? = nil) -> [UInt8] {
    let maskBit: UInt8 = key == nil ? 0 : 0x80
    var frame = [first]
    switch payload.count {
    case ...125: frame.append(maskBit + UInt8(payload.count))
    case ...65_535: frame += [maskBit + 126, UInt8(payload.count / 256), UInt8(payload.count % 256)]
    default:
        frame.append(maskBit + 127)
        for shift in stride(from: 56, through: 0, by: -8) { frame.append(UInt8(truncatingIfNeeded: payload.count >> shift)) }
    }
    guard let key else { return frame + payload }
    frame += key
    for (index, byte) in payload.enumerated() { frame.append(byte ^ key[index % 4]) }
    return frame
}
