/// Looks at HTML as a browser would: which tags there are, and whether they are nested.
///
/// Knows what Stentor writes, not all of HTML: every element is closed but the void ones, attributes stand in double quotes.
struct HTMLCheck {
    /// The names of all elements that open, in order.
    private(set) var elements: [String] = []
    /// What is wrong; empty when all is well.
    private(set) var faults: [String] = []
    /// The attributes of all elements.
    private(set) var attributes: [(element: String, name: String, value: String)] = []
    /// What is left without tags, scripts and styles, blanks made even.
    private(set) var text = ""

    private static let void: Set<String> = ["meta", "path", "rect", "link", "br", "img"]
    private var open: [String] = []

    init(_ html: String) {
        let bytes = Array(html.utf8)
        var words: [UInt8] = []
        var at = 0
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<") else {
                words.append(bytes[at])
                at += 1
                continue
            }
            guard let end = Self.tagEnd(bytes, from: at + 1) else {
                faults.append("a tag without an end")
                return
            }
            let name = readTag(String(decoding: bytes[at + 1..<end], as: UTF8.self))
            words.append(UInt8(ascii: " "))
            at = end + 1
            guard name == "script" || name == "style" else { continue }
            // They hold raw text up to their own end tag, whatever stands in it.
            let close = Array("</\(name)".utf8)
            while at < bytes.count, !bytes[at...].starts(with: close) { at += 1 }
        }
        if !open.isEmpty { faults.append("not closed: \(open)") }
        text = String(decoding: words, as: UTF8.self).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }

    /// How often each element stands in it.
    var counts: [String: Int] { Dictionary(elements.map { ($0, 1) }, uniquingKeysWith: +) }

    private static func tagEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        var isQuoted = false
        for index in start..<bytes.count {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if bytes[index] == UInt8(ascii: ">"), !isQuoted { return index }
        }
        return nil
    }

    private mutating func readTag(_ tag: String) -> String {
        if tag.hasPrefix("!") { return "" }
        if tag.hasPrefix("/") {
            let name = String(tag.dropFirst())
            if open.popLast() != name { faults.append("</\(name)> closes another element") }
            return ""
        }
        let name = String(tag.prefix { $0 != " " && $0 != "/" })
        elements.append(name)
        readAttributes(tag.dropFirst(name.count), of: name)
        if !Self.void.contains(name) { open.append(name) }
        return name
    }

    private mutating func readAttributes(_ text: Substring, of element: String) {
        var rest = text
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].split(separator: " ").last.map(String.init) ?? ""
            let value = rest[rest.index(after: equals)...]
            guard value.first == "\"", let end = value.dropFirst().firstIndex(of: "\"") else {
                faults.append("the attribute \(name) of \(element) is not quoted")
                return
            }
            attributes.append((element, name, String(value.dropFirst()[..<end])))
            rest = value[value.index(after: end)...]
        }
    }
}
