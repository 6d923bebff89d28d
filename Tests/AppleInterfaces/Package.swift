// swift-tools-version: 6.2
// Checks SignalboxUI where Apple's SDKs are not: against modules that declare, under Apple's names
// and with their signatures, what it uses of them. A package of its own, as it needs OpenCombine.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// The toolchain has Testing bring more with it where it is imported beside the real UIKit or AppKit.
let testSettings =
  settings + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]

let signalbox = Target.Dependency.product(name: "Signalbox", package: "Signalbox")

let package = Package(
  name: "AppleInterfaces",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "Signalbox", path: Context.environment["SIGNALBOX"] ?? "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
  ],
  targets: [
    .target(
      name: "Combine", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")],
      swiftSettings: settings),
    .target(name: "SwiftUI", dependencies: ["Combine"], swiftSettings: settings),
    .target(name: "UIKit", swiftSettings: settings),
    .target(name: "AppKit", swiftSettings: settings),
    // The sources are the library's, by a symbolic link.
    .target(
      name: "SignalboxUI", dependencies: [signalbox, "Combine", "SwiftUI", "UIKit", "AppKit"],
      swiftSettings: settings + [.strictMemorySafety()]),
    .testTarget(
      name: "SwiftUITests", dependencies: [signalbox, "SignalboxUI", "SwiftUI"],
      swiftSettings: testSettings),
    .testTarget(
      name: "UIKitTests", dependencies: [signalbox, "SignalboxUI", "UIKit"],
      swiftSettings: testSettings),
    .testTarget(
      name: "AppKitTests", dependencies: [signalbox, "SignalboxUI", "AppKit"],
      swiftSettings: testSettings),
    .testTarget(
      name: "CombineTests", dependencies: [signalbox, "SignalboxUI", "Combine"],
      swiftSettings: testSettings),
  ],
  swiftLanguageModes: [.v6]
)
