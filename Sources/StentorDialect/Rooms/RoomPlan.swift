import StentorBase

/// Which room a device is a member of: a pure function of its number and the profile's `rooms`.
///
/// With `members`, devices fill the rooms one after another; with `count` alone, they go round them. Either way a device keeps its room
/// when the number of devices changes.
struct RoomPlan: Equatable, Sendable {
    private let members: Int?
    private let count: Int?

    init(_ settings: DialectSettings) {
        members = settings.integer("members")
        count = settings.integer("count")
    }

    /// The number of a device's room, from 0.
    func room(ofDevice index: Int) -> Int {
        if let members { return index / members }
        return count.map { index % $0 } ?? 0
    }

    /// The most members that rooms can have.
    static let membersLimit = 10_000

    /// Judges the settings for so many devices.
    static func check(_ settings: DialectSettings, devices: Int) throws(DialectShape.Misfit) {
        let (members, count) = (settings.integer("members"), settings.integer("count"))
        switch (members, count) {
        case (nil, nil):
            throw DialectShape.Misfit("'rooms' needs 'members' or 'count'", hint: "rooms: {members: 50} makes a room for each 50 devices")
        case (let members?, let count?) where members * count != devices:
            throw DialectShape.Misfit(
                "\(count) rooms of \(members) members are \(members * count) devices, not \(devices)", option: "count",
                hint: "leave 'count' or 'members' out to let it follow from 'devices.count'")
        case (nil, let count?) where (devices + count - 1) / count > membersLimit:
            throw DialectShape.Misfit(
                "\(devices) devices in \(count) rooms are more than \(membersLimit) members each", option: "count", hint: "take more rooms")
        case (_?, _), (_, _?): break
        }
    }
}
