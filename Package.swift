// swift-tools-version: 6.2
import PackageDescription

/// One settings list for every Swift target: Swift 6 mode comes from the tools version, every warning is an error,
/// and small functions are inlined across module borders in release builds.
let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableExperimentalFeature("Lifetimes"),
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

let cSettings: [CSetting] = [.define("_GNU_SOURCE")]

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ target: String, _ more: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(target)Tests", dependencies: [.byName(name: target), "TestSupport"] + more, swiftSettings: settings)
}

let package = Package(
    name: "stentor",
    products: [
        .executable(name: "stentor", targets: ["stentor"]),
        .executable(name: "stentor-autobahn", targets: ["stentor-autobahn"]),
        .executable(name: "stentor-bench", targets: ["stentor-bench"]),
    ],
    targets: [
        // Layer 0: system libraries, and the C that Swift's importer cannot see through. No policy.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CStentorSystem", cSettings: cSettings),
        .target(name: "CStentorTLS", dependencies: ["COpenSSL"], cSettings: cSettings),
        .target(name: "CStentorAlloc"),
        .target(name: "CStentorCurl", dependencies: ["CCurl"], cSettings: cSettings),

        // Layer 1: instants, sizes, rates, failures, exit codes, seeded randomness, secrets.
        library("StentorBase", ["CStentorSystem"]),

        // Layer 2: sans-IO codecs; numbers; event loops. They do not know each other.
        library("StentorWire", ["StentorBase", "COpenSSL", "CStentorTLS", "CZlib"]),
        library("StentorMetrics", ["StentorBase"]),
        library("StentorLoop", ["StentorBase", "CStentorSystem", "COpenSSL", "CStentorTLS"]),

        // Layer 3: what a device says; what a profile says; one connection; the push; the scrape; the report and the history.
        library("StentorDialect", ["StentorBase", "StentorWire"]),
        library("StentorProfile", ["StentorBase", "StentorWire", "StentorMetrics", "CYAML"]),
        library("StentorClient", ["StentorBase", "StentorWire", "StentorLoop"]),
        library("StentorPush", ["StentorBase", "StentorMetrics", "CCurl", "CStentorCurl"]),
        library("StentorScrape", ["StentorBase", "StentorWire", "StentorMetrics", "StentorLoop"]),
        library("StentorReport", ["StentorBase", "StentorWire", "StentorMetrics", "CSQLite"]),

        // Layer 4: the fleet of devices, the simulated gateways, and the check of one. They do not know each other.
        library("StentorCheck", ["StentorBase", "StentorWire", "StentorLoop", "StentorClient"]),
        library(
            "StentorFleet",
            [
                "StentorBase", "StentorWire", "StentorMetrics", "StentorLoop", "StentorDialect", "StentorProfile", "StentorClient",
            ]),
        library("StentorGateway", ["StentorBase", "StentorWire", "StentorLoop"]),

        // Layer 5: arguments, progress, texts, exit codes.
        library(
            "StentorCommand",
            [
                "StentorBase", "StentorWire", "StentorMetrics", "StentorLoop", "StentorDialect", "StentorProfile", "StentorPush",
                "StentorScrape", "StentorReport", "StentorFleet", "StentorGateway", "StentorCheck",
            ]),

        // Layer 6: `main`, a few lines.
        program("stentor", ["StentorCommand"]),
        program(
            "stentor-bench",
            [
                "CStentorAlloc",
                "StentorBase", "StentorWire", "StentorMetrics", "StentorLoop", "StentorClient", "StentorProfile", "StentorReport",
                "StentorFleet",
            ]),
        program("stentor-autobahn", ["StentorBase", "StentorWire", "StentorLoop", "StentorClient"]),

        .target(name: "TestSupport", dependencies: ["StentorBase", "StentorLoop"], path: "Tests/TestSupport", swiftSettings: settings),
        // Fleets inside of the test process, and what both ends of a run must agree on.
        .target(
            name: "FleetSupport",
            dependencies: [
                "TestSupport", "StentorBase", "StentorWire", "StentorMetrics", "StentorLoop", "StentorProfile", "StentorFleet",
                "StentorGateway",
            ], path: "Tests/FleetSupport", swiftSettings: settings),
        tests("StentorBase"),
        tests("StentorWire"),
        tests("StentorMetrics"),
        tests("StentorLoop"),
        tests("StentorDialect", ["StentorWire"]),
        tests("StentorProfile", ["StentorWire"]),
        tests("StentorClient", ["StentorLoop", "StentorWire"]),
        tests("StentorPush", ["StentorMetrics"]),
        tests("StentorScrape", ["StentorMetrics", "StentorLoop", "StentorWire"]),
        tests("StentorReport", ["StentorMetrics", "StentorWire"]),
        tests(
            "StentorFleet",
            ["FleetSupport", "StentorProfile", "StentorMetrics", "StentorLoop", "StentorWire", "StentorDialect", "StentorGateway"]),
        tests("StentorGateway", ["StentorLoop", "StentorWire"]),
        tests("StentorCommand", ["StentorFleet", "StentorGateway", "StentorLoop", "StentorMetrics", "StentorProfile", "StentorReport"]),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "TestSupport", "FleetSupport", "StentorBase", "StentorMetrics", "StentorProfile", "StentorFleet", "stentor",
                "stentor-autobahn",
            ], swiftSettings: settings),
    ]
)
