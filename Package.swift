// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
]

/// The settings of new app projects, under which the tests of isolation run.
let isolated: [SwiftSetting] = [
  .defaultIsolation(MainActor.self),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

/// Why a library reads the times of files, which the App Store asks. It is a resource, so it makes a
/// bundle, which is of no use elsewhere.
#if canImport(Darwin)
let privacy: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
#else
let privacy: [Resource] = []
#endif

let package = Package(
  name: "Signalbox",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Signalbox", targets: ["Signalbox"]),
    .library(name: "SignalboxStorage", targets: ["SignalboxStorage"]),
    .library(name: "SignalboxTesting", targets: ["SignalboxTesting"]),
    .library(name: "SignalboxUI", targets: ["SignalboxUI"]),
    .library(name: "SignalboxSources", targets: ["SignalboxSources"]),
    .library(name: "SignalboxTrace", targets: ["SignalboxTrace"]),
    .executable(name: "signalbox-trace", targets: ["SignalboxTraceTool"]),
  ],
  targets: [
    .target(name: "Signalbox", swiftSettings: settings),
    .target(
      name: "SignalboxStorage", dependencies: ["Signalbox"], resources: privacy,
      swiftSettings: settings),
    .target(name: "SignalboxInspection", dependencies: ["Signalbox"], swiftSettings: settings),
    .target(
      name: "SignalboxTesting",
      dependencies: ["Signalbox", "SignalboxInspection", "SignalboxStorage", "SignalboxTrace"],
      swiftSettings: settings),
    .target(name: "SignalboxUI", dependencies: ["Signalbox"], swiftSettings: settings),
    .target(
      name: "SignalboxSources", dependencies: ["Signalbox"], resources: privacy,
      swiftSettings: settings),
    .target(
      name: "SignalboxTrace", dependencies: ["Signalbox", "SignalboxInspection"],
      resources: privacy + [.embedInCode("Page/Parts")], swiftSettings: settings),
    .executableTarget(
      name: "SignalboxTraceTool",
      dependencies: ["Signalbox", "SignalboxInspection", "SignalboxSources", "SignalboxTrace"],
      swiftSettings: settings),
    .testTarget(
      name: "SignalboxTests",
      dependencies: [
        "RandomPrograms", "Signalbox", "SignalboxInspection", "SignalboxSources",
        "SignalboxStorage", "SignalboxTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "IsolationTests", dependencies: ["Signalbox", "SignalboxTesting"],
      swiftSettings: settings + isolated),
    .testTarget(
      name: "SignalboxSourcesTests",
      dependencies: [
        "ExampleTesting", "RandomPrograms", "Signalbox", "SignalboxSources", "SignalboxTesting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SignalboxStorageTests",
      dependencies: [
        "ExampleTesting", "RandomPrograms", "Signalbox", "SignalboxStorage", "SignalboxTesting",
        "StorageProbe", "Terminal",
      ],
      exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "SignalboxTraceTests",
      dependencies: [
        "ExampleTesting", "RandomPrograms", "Signalbox", "SignalboxInspection", "SignalboxTesting",
        "SignalboxTrace",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SignalboxTraceToolTests",
      dependencies: [
        "ExampleTesting", "Notes", "RandomPrograms", "Signalbox", "SignalboxInspection",
        "SignalboxTrace", "SignalboxTraceTool", "Terminal",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "StorageProbe", dependencies: ["Signalbox", "SignalboxStorage"],
      path: "Tests/StorageProbe", swiftSettings: settings),
    .target(name: "RandomPrograms", path: "Tests/RandomPrograms", swiftSettings: settings),
    .target(
      name: "Terminal", dependencies: ["Signalbox", "SignalboxSources", "SignalboxTrace"],
      path: "Examples/Terminal",
      exclude: ["README.md"],
      swiftSettings: settings),
    .executableTarget(
      name: "Chat",
      dependencies: ["Signalbox", "SignalboxSources", "SignalboxStorage", "Terminal"],
      path: "Examples/Chat", exclude: ["README.md"], swiftSettings: settings),
    .executableTarget(
      name: "Search", dependencies: ["Signalbox", "Terminal"], path: "Examples/Search",
      exclude: ["README.md"], swiftSettings: settings),
    .executableTarget(
      name: "Form", dependencies: ["Signalbox", "Terminal"], path: "Examples/Form",
      exclude: ["README.md"], swiftSettings: settings),
    .executableTarget(
      name: "Notes", dependencies: ["Signalbox", "SignalboxStorage", "Terminal"],
      path: "Examples/Notes", exclude: ["README.md"], swiftSettings: settings),
    .target(
      name: "ExampleTesting", dependencies: ["Signalbox", "SignalboxTrace", "Terminal"],
      path: "Tests/ExampleTesting", swiftSettings: settings),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["ExampleTesting", "Signalbox", "SignalboxTesting", "Terminal"],
      swiftSettings: settings),
    .testTarget(
      name: "ChatTests",
      dependencies: [
        "Chat", "ExampleTesting", "Signalbox", "SignalboxSources", "SignalboxStorage",
        "SignalboxTesting", "SignalboxTrace", "Terminal",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SearchTests",
      dependencies: [
        "ExampleTesting", "RandomPrograms", "Search", "Signalbox", "SignalboxTesting",
        "SignalboxTrace", "Terminal",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FormTests",
      dependencies: [
        "Form", "ExampleTesting", "Signalbox", "SignalboxTesting", "SignalboxTrace", "Terminal",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "ExampleTesting", "Notes", "Signalbox", "SignalboxStorage", "SignalboxTesting",
        "SignalboxTrace", "Terminal",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// A sanitizer builds only some of the tests: the targets that the environment names and, of the
// tests of the core, the folders or files. See .ci/sanitize.
if let targets = Context.environment["SIGNALBOX_TEST_TARGETS"]?.split(separator: " ") {
  package.targets.removeAll { $0.type == .test && !targets.contains($0.name[...]) }
}
if let parts = Context.environment["SIGNALBOX_TEST_PARTS"]?.split(separator: " ") {
  package.targets.first { $0.name == "SignalboxTests" }?.sources = parts.map(String.init)
}
