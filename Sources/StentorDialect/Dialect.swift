import StentorBase
import StentorWire

/// What a dialect is to the rest of the program: one row of the table.
public struct Dialect: Sendable {
    /// Where a device lives: those of one group share a loop, and with it a ``SessionFactory``.
    public typealias Grouping = @Sendable (_ device: Int, _ settings: DialectSettings) -> Int

    /// What a profile may say of it.
    public let shape: DialectShape
    /// The address that a device with this token opens.
    public let address: @Sendable (TargetURL, Secret) -> TargetURL
    /// Makes the factory of one loop.
    public let makeFactory: @Sendable (SessionSetup) -> any SessionFactory
    /// The group of a device, 0 or more; the same in every run.
    public let group: Grouping
    /// How devices come back unless the profile says otherwise.
    public let reconnectPolicy: ReconnectPolicy
    /// Whether an open connection alone starts the back-off anew; otherwise only an accepted session does.
    public let resetsBackoffAtOpen: Bool
    /// Close codes after which a device never comes back.
    public let finalCloseCodes: Set<UInt16>
    /// The close code of a device that leaves.
    public let leaveCode: UInt16
    /// Raw bytes in a part of a photo; nil: it has no photos.
    public let photoPartBytes: Int?
    /// What both ends count alike, besides violations; nil: as a Hermes gateway does.
    public let agreement: [AgreementRule]?
    /// What a device has missed that was not ready in time, for instance `nothing was received`; nil: there is nothing to say.
    public let unreadyReason: String?

    /// The name in profiles and on the command line.
    public var name: String { shape.name }

    /// Makes a row; see the properties.
    public init(
        _ shape: DialectShape, reconnectPolicy: ReconnectPolicy, leaveCode: UInt16,
        makeFactory: @escaping @Sendable (SessionSetup) -> any SessionFactory,
        address: @escaping @Sendable (TargetURL, Secret) -> TargetURL = { url, _ in url },
        group: @escaping Grouping = { device, _ in device }, resetsBackoffAtOpen: Bool = false, finalCloseCodes: Set<UInt16> = [],
        photoPartBytes: Int? = nil, agreement: [AgreementRule]? = nil, unreadyReason: String? = nil
    ) {
        (self.shape, self.address, self.makeFactory, self.group) = (shape, address, makeFactory, group)
        (self.reconnectPolicy, self.resetsBackoffAtOpen) = (reconnectPolicy, resetsBackoffAtOpen)
        (self.finalCloseCodes, self.leaveCode, self.photoPartBytes) = (finalCloseCodes, leaveCode, photoPartBytes)
        (self.agreement, self.unreadyReason) = (agreement, unreadyReason)
    }

    /// All dialects that this version speaks.
    public static let all: [Dialect] = [.hermes, .rooms, .typed, .echo]

    /// What profiles can name.
    public static let catalogue = DialectCatalogue(all.map(\.shape), unavailable: ["tansr"])

    /// The dialect of a name, if there is one.
    public static func named(_ name: String) -> Dialect? {
        all.first { $0.name == name }
    }
}

/// What the sessions of one loop are made for.
public struct SessionSetup: Sendable {
    /// How replies find their texts.
    public let correlation: Correlation
    /// The dialect's options.
    public let settings: DialectSettings
    /// Seconds since 1970 by the wall clock, for time stamps on the wire.
    public let wallSeconds: @Sendable () -> Double

    /// Makes a setup.
    public init(
        correlation: Correlation = .marker, settings: DialectSettings = DialectSettings(),
        wallSeconds: @escaping @Sendable () -> Double = { Double(WallClock.nanosecondsSinceEpoch()) / 1e9 }
    ) {
        (self.correlation, self.settings, self.wallSeconds) = (correlation, settings, wallSeconds)
    }
}
