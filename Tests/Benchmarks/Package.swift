// swift-tools-version: 6.2
// Measures the library beside its peers, which is why it is a package of its own.
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Signalbox", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", exact: "1.7.3"),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
  ],
  targets: [
    .target(name: "Instruments"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Instruments",
        "Signalbox",
        .product(name: "SignalboxSources", package: "Signalbox"),
        .product(name: "SignalboxStorage", package: "Signalbox"),
        .product(name: "SignalboxTesting", package: "Signalbox"),
        .product(name: "SignalboxTrace", package: "Signalbox"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "CustomDump", package: "swift-custom-dump"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
