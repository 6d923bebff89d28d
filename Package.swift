// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
]

let package = Package(
  name: "Signalbox",
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    .library(name: "Signalbox", targets: ["Signalbox"]),
    .library(name: "SignalboxTesting", targets: ["SignalboxTesting"]),
  ],
  targets: [
    .target(name: "Signalbox", swiftSettings: settings),
    .target(name: "SignalboxTesting", dependencies: ["Signalbox"], swiftSettings: settings),
    .testTarget(
      name: "SignalboxTests", dependencies: ["Signalbox", "SignalboxTesting"],
      swiftSettings: settings),
    .executableTarget(
      name: "Chat", dependencies: ["Signalbox"], path: "Examples/Chat", exclude: ["README.md"],
      swiftSettings: settings),
    .testTarget(
      name: "ChatTests", dependencies: ["Chat", "Signalbox", "SignalboxTesting"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
