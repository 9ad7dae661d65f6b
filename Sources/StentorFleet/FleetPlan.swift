import StentorBase
import StentorClient
import StentorDialect
import StentorLoop
import StentorProfile
import StentorWire

/// What a run will do, worked out from the profile before anything is dialled.
public struct FleetPlan: Sendable {
    /// Where the devices' tokens come from.
    public enum Tokens: Sendable {
        /// The same for all; empty: none.
        case shared(Secret)
        /// By device id.
        case table([String: Secret])
    }

    /// The profile.
    public let profile: Profile
    /// The dialect.
    public let dialect: Dialect
    /// The target, with the port of an embedded gateway filled in.
    public let url: TargetURL
    /// Who is meant to be connected when.
    public internal(set) var schedule: LoadSchedule
    /// How many loops carry the devices.
    public let loopCount: Int
    let target: DialTarget
    let tokens: Tokens
    let headers: [(String, String)]
    let photos: PhotoLibrary?
    private let sharedRequest: WebSocketConnection.Request
    let reconnectPolicy: ReconnectPolicy
    /// How long a closing handshake may take (RFC 6455 § 7.1.1 leaves it open).
    var closeTimeout = Duration.seconds(5)

    /// Works the plan out.
    ///
    /// - Parameters:
    ///   - url: The target; for an embedded gateway its address.
    ///   - loopCount: 1 or more; default one for each core.
    /// - Throws: ``UserFailure`` when a CA file or a token is missing or unusable.
    public init(profile: Profile, url: TargetURL, tokens: Tokens, loopCount: Int) throws(UserFailure) {
        guard let dialect = Dialect.named(profile.target.dialect.rawValue) else {
            throw UserFailure(
                .profile, "dialect '\(profile.target.dialect.rawValue)' is not spoken by this version", place: "target.dialect")
        }
        self.profile = profile
        self.dialect = dialect
        self.url = url
        self.tokens = tokens
        self.loopCount = max(1, loopCount)
        schedule = LoadSchedule(profile.load, connectRatePerSecond: profile.connectRatePerSecond)
        headers = profile.target.headers.map { ($0.name, $0.value.reveal()) }
        let tls = url.isSecure ? try TLSContext.client(caFile: profile.target.tls.caFile, isInsecure: profile.target.tls.isInsecure) : nil
        target = DialTarget(
            host: url.host, port: url.port, tls: tls, serverName: profile.target.tls.serverName,
            sourceAddresses: profile.target.sourceAddresses.compactMap { SocketAddress(literal: $0, port: 0) })
        let sharedToken = if case .shared(let token) = tokens { token } else { Secret("") }
        sharedRequest = Self.request(token: sharedToken, dialect, url, target, headers)
        photos = profile.behaviour.photo.map {
            PhotoLibrary(sizes: $0.sizeBytes, partBytes: dialect.photoPartBytes, seed: profile.seed)
        }
        reconnectPolicy = Self.reconnectPolicy(profile.reconnect, dialect)
        if case .table(let table) = tokens {
            for index in 0..<schedule.deviceCount {
                let id = profile.devices.id.id(ofDevice: index, seed: profile.seed)
                guard table[id] != nil else {
                    throw UserFailure(
                        .profile, "no token for device '\(id)'", place: "target.tokens_file", hint: "add a line \(id)=TOKEN")
                }
            }
        }
    }

    /// Who a device is, the same in every run of the profile.
    public func identity(ofDevice index: Int) -> DeviceIdentity {
        let devices = profile.devices
        let id = devices.id.id(ofDevice: index, seed: profile.seed)
        let cohort = devices.cohort(ofDevice: index, seed: profile.seed)
        let token: Secret
        switch tokens {
        case .shared(let secret): token = secret
        case .table(let table): token = table[id] ?? Secret("")
        }
        return DeviceIdentity(
            id: id, name: devices.name, platform: cohort?.platform ?? devices.platform,
            appVersion: cohort?.appVersion ?? devices.appVersion, token: token)
    }

    /// What a device asks for when it dials.
    func request(ofDevice index: Int) -> WebSocketConnection.Request {
        switch tokens {
        case .shared: sharedRequest
        case .table: Self.request(token: identity(ofDevice: index).token, dialect, url, target, headers)
        }
    }

    private static func request(
        token: Secret, _ dialect: Dialect, _ url: TargetURL, _ target: DialTarget, _ headers: [(String, String)]
    ) -> WebSocketConnection.Request {
        WebSocketConnection.Request(target: target, path: dialect.address(url, token).target, host: url.hostHeader, headers: headers)
    }

    /// The most that a device reads, in bytes per second; nil: as fast as it can. The same in every run of the profile.
    func readingLimit(ofDevice index: Int) -> Int? {
        guard !profile.faults.slowReaders.isEmpty else { return nil }
        var random = SeededRandom(seed: profile.seed ^ SplitMix64.hash("slow_reader"), stream: UInt64(index))
        var draw = random.unit()
        for readers in profile.faults.slowReaders {
            if draw < readers.share { return readers.bytesPerSecond }
            draw -= readers.share
        }
        return nil
    }

    /// How long after the load's end an outcome can still come: the longest deadline of a text or photo.
    var longestReply: Duration {
        max(profile.behaviour.text?.replyWithin ?? .zero, profile.behaviour.photo?.replyWithin ?? .zero)
    }

    /// How long devices wait before they dial again.
    public static func reconnectPolicy(_ reconnect: Profile.Reconnect, _ dialect: Dialect) -> ReconnectPolicy {
        var policy: ReconnectPolicy
        switch reconnect.policy {
        case .dialect: policy = dialect.reconnectPolicy
        case .fixed(let base): policy = ReconnectPolicy(growth: .fixed, base: base, cap: base)
        case .exponential(let base, let cap): policy = ReconnectPolicy(growth: .exponential, base: base, cap: cap)
        }
        policy.jitter = ReconnectPolicy.Jitter(rawValue: reconnect.jitter.rawValue) ?? .none
        policy.attemptLimit = reconnect.attempts
        return policy
    }
}
