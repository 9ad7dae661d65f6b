import StentorMetrics
import StentorWire

/// One set of numbers as it is sent, made once however many scrapers ask for it.
final class ScrapePage {
    /// Of the notice that it was made from.
    let number: Int
    /// Whether it shows the end of the run.
    let isLast: Bool
    private let plain: [UInt8]
    private lazy var packed = Deflater(.gzip).compress(plain)

    init(_ notice: ScrapeBoard.Notice, labels: [(name: String, value: String)]) {
        (number, isLast) = (notice.number, notice.isLast)
        plain = PrometheusText.render(notice.snapshot, labels: labels)
    }

    /// The answer of a scrape.
    func response(_ coding: ContentCoding, closes: Bool) -> HTTPResponse {
        var fields = HTTPFields([
            ("Content-Type", PrometheusText.contentType), ("Vary", "Accept-Encoding"), ("Cache-Control", "no-store"),
            ("Connection", closes ? "close" : "keep-alive"),
        ])
        if coding == .gzip { fields.append("Content-Encoding", "gzip") }
        return HTTPResponse(status: 200, fields: fields, body: coding == .gzip ? packed : plain)
    }
}
