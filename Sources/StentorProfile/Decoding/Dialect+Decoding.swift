import StentorBase

/// The section of a profile that has its dialect's name.
struct DialectRules {
    /// What it says, defaults filled in.
    let settings: DialectSettings
    private let fields: Fields
    private let dialect: DialectShape?
    private let isFit: Bool

    /// Reads the dialect's section; those of other dialects are faults.
    init(fields: Fields, dialect: DialectShape?) {
        var settings = DialectSettings()
        var isFit = dialect != nil
        for shape in fields.decoding.options.dialects.shapes where !shape.options.isEmpty {
            guard shape.name == dialect?.name else {
                fields.take(shape.name)
                guard let dialect, fields.has(shape.name) else { continue }
                fields.fault("'\(shape.name)' has no meaning with 'dialect: \(dialect.name)'", at: shape.name, hint: "remove it")
                continue
            }
            guard let section = fields.section(shape.name, orEmpty: true) else {
                isFit = false
                continue
            }
            for option in shape.options {
                let value = Self.value(of: option, in: section)
                if let value { settings.set(option.name, to: value) } else if section.has(option.name) { isFit = false }
            }
        }
        (self.settings, self.fields, self.dialect, self.isFit) = (settings, fields, dialect, isFit)
    }

    /// Judges the settings together; silent when one of them is a fault already.
    func check(devices: Int) {
        guard let dialect, isFit else { return }
        do throws(DialectShape.Misfit) { try dialect.check(settings, devices) } catch {
            let mark = place(of: error.option, in: dialect)
            fields.decoding.faults.add(error.message, at: mark, hint: error.hint)
        }
    }

    private func place(of option: String?, in dialect: DialectShape) -> YAMLMark {
        guard let section = fields.node(dialect.name) else { return fields.mark(of: "target") }
        return option.flatMap { section[$0]?.mark } ?? section.mark
    }

    private static func value(of option: DialectShape.Option, in section: Fields) -> DialectSettings.Value? {
        switch option.kind {
        case .integer(let range): read(option, in: section, .integer(range)).map { .integer($0) }
        case .boolean: read(option, in: section, .boolean).map { .boolean($0) }
        case .duration: read(option, in: section, .durationOrZero).map { .duration($0) }
        }
    }

    private static func read<Value>(_ option: DialectShape.Option, in section: Fields, _ reader: Reader<Value>) -> Value? {
        guard let text = option.defaultText else { return section.optional(option.name, reader) }
        return section.value(option.name, default: text, reader)
    }
}

extension Reader where Value == DialectShape {
    /// One dialect of a catalogue.
    static func dialect(of catalogue: DialectCatalogue) -> Reader<DialectShape> {
        Reader { scalar throws(Complaint) in
            if let shape = catalogue[scalar.text] { return shape }
            guard !catalogue.unavailable.contains(scalar.text) else {
                let known = catalogue.names.joined(separator: ", ")
                throw Complaint("\(scalar.shown) is not available in this version", hint: "available: \(known)")
            }
            throw Complaint("unknown value \(scalar.shown)", hint: Suggestion.hint(for: scalar.written, among: catalogue.names))
        }
    }
}
