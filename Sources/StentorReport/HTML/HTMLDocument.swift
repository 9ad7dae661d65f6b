import StentorWire

/// A page of one file, to be read without a network.
///
/// Nothing is loaded from elsewhere: a content security policy forbids it, and lets no script run but the one of this program.
struct HTMLDocument {
    /// Cleaned already.
    let title: String
    let css: String
    /// The one script that may run; nil: none may.
    var script: String?
    let body: String

    /// The document, with a newline at its end.
    var text: String {
        let script = script.map { "\n\($0)\n" }
        let allowed = script.map { " script-src 'sha256-\(Self.digest($0))';" } ?? ""
        let element = script.map { "\n<script>\($0)</script>" } ?? ""
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width,initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline';\(allowed) base-uri 'none'; form-action 'none'">
            <meta name="referrer" content="no-referrer">
            <title>\(title)</title>
            <style>
            \(css)
            </style>
            </head>
            <body>
            \(body)\(element)
            </body>
            </html>

            """
    }

    private static func digest(_ script: String) -> String {
        var text: [UInt8] = []
        SHA256Digest(of: Array(script.utf8)).withBytes { Base64.encode($0, into: &text) }
        return String(decoding: text, as: UTF8.self)
    }
}
