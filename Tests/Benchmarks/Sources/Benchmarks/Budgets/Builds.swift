import Foundation

/// Measures a clean debug build of a package that depends on the library (B10).
@MainActor enum Builds {
  static let comparisons = [
    Comparison("B10", "a clean debug build") {
      let ours = Client("Signalbox", of: ".package(name: \"Signalbox\", path: \"\(root)\")")
      let theirs = Client(
        "CustomDump", in: "swift-custom-dump",
        of: """
          .package(url: "https://github.com/pointfreeco/swift-custom-dump", exact: "1.7.3")
          """)
      return Sides(
        Subject("Signalbox", awaiting: { ours.build($0) }), limits: [.time(.seconds(15))],
        beside: [Subject("swift-custom-dump", awaiting: { theirs.build($0) }).unlimited])
    }
  ]

  /// The path of this repository.
  private static let root =
    URL(filePath: #filePath).pathComponents.dropLast(6).joined(separator: "/").dropFirst()

  /// A package of one empty file that depends on a library.
  private final class Client {
    private let folder: URL

    init(_ library: String, in package: String? = nil, of dependency: String) {
      folder = FileManager.default.temporaryDirectory.appending(
        path: "benchmark-\(ProcessInfo.processInfo.processIdentifier)-\(library)")
      let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(
          name: "Client", platforms: [.macOS(.v15)], dependencies: [\(dependency)],
          targets: [
            .target(
              name: "Client",
              dependencies: [.product(name: "\(library)", package: "\(package ?? library)")])
          ])
        """
      let sources = folder.appending(path: "Sources/Client")
      do {
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try Data(manifest.utf8).write(to: folder.appending(path: "Package.swift"))
        try Data().write(to: sources.appending(path: "Client.swift"))
      } catch {
        fatalError("the package to build cannot be written: \(error)")
      }
      swift(["package", "resolve"])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func build(_ count: Int) {
      for _ in 0..<count {
        swift(["package", "clean"])
        swift(["build"])
      }
    }

    private func swift(_ arguments: [String]) {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["swift"] + arguments + ["--package-path", folder.path()]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      do { try process.run() } catch { fatalError("swift cannot be started: \(error)") }
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        fatalError("swift \(arguments.joined(separator: " ")) has failed in \(folder.path())")
      }
    }
  }
}
