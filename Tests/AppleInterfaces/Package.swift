// swift-tools-version: 6.2
// Checks SignalboxUI on platforms without Apple's SDKs. The modules here declare what SignalboxUI
// uses of the SDKs, with Apple's names and signatures. This is a separate package, because such
// modules would change what the library's package can import.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Prevents the toolchain from importing overlays that need the real UIKit or AppKit.
let testSettings =
  settings + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]

let package = Package(
  name: "AppleInterfaces",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")
  ],
  targets: [
    .target(
      name: "Combine", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")],
      swiftSettings: settings),
    .target(name: "SwiftUI", dependencies: ["Combine"], swiftSettings: settings),
    .target(name: "UIKit", swiftSettings: settings),
    .target(name: "AppKit", swiftSettings: settings),
    // These are symbolic links to the library's own sources.
    .target(name: "Signalbox", swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "SignalboxUI", dependencies: ["Signalbox", "Combine", "SwiftUI", "UIKit", "AppKit"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "SignalboxStorage", dependencies: ["Signalbox"], exclude: ["PrivacyInfo.xcprivacy"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(name: "RandomPrograms", swiftSettings: settings),
    // The views of Examples/NotesUI and the features of Examples/Notes.
    .executableTarget(
      name: "NotesUI",
      dependencies: ["Signalbox", "SignalboxStorage", "SignalboxUI", "SwiftUI"],
      exclude: ["Views/README.md"], swiftSettings: settings),
    .testTarget(
      name: "NotesUITests",
      dependencies: ["NotesUI", "Signalbox", "SignalboxUI", "SwiftUI"],
      swiftSettings: testSettings),
    .testTarget(
      name: "SwiftUITests",
      dependencies: ["RandomPrograms", "Signalbox", "SignalboxUI", "SwiftUI"],
      swiftSettings: testSettings),
    .testTarget(
      name: "UIKitTests", dependencies: ["Signalbox", "SignalboxUI", "UIKit"],
      swiftSettings: testSettings),
    .testTarget(
      name: "AppKitTests", dependencies: ["Signalbox", "SignalboxUI", "AppKit"],
      swiftSettings: testSettings),
    .testTarget(
      name: "CombineTests", dependencies: ["Signalbox", "SignalboxUI", "Combine"],
      swiftSettings: testSettings),
  ],
  swiftLanguageModes: [.v6]
)
