/// What one sender sent, by the `[#n]` markers in its messages.
struct SenderTruth {
    var joins = 0
    var leaves = 0
    var messages = 0
    /// Messages that its ended connections were sent.
    var got = 0
    /// Messages with a marker, and how many different markers those were.
    private(set) var truth = DeviceTruth()

    /// Notes a message.
    mutating func heard(_ sequence: Int?) {
        messages += 1
        if let sequence { truth.arrived(sequence) }
    }

    /// Writes what was marked; ``DeviceTruth`` stays small, however many there were.
    func writeMarks(to json: inout TotalsWriter) {
        json.member("marked", truth.marked)
        json.member("distinct", truth.marked - truth.repeated)
    }
}
