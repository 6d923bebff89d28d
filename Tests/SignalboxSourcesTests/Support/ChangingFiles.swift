import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a test does to the file of a URL.
extension URL {
  /// Writes the file in its place.
  func write(_ text: String) throws {
    try text.write(to: self, atomically: false, encoding: .utf8)
  }

  /// Moves a new file to the place of the file, as many editors do.
  func replace(with text: String) throws {
    let beside = deletingLastPathComponent().appending(path: ".beside")
    try beside.write(text)
    try beside.rename(to: self)
  }

  /// Moves a new link to the place of the file, as many deployments do.
  func replace(withLinkTo destination: String) throws {
    let beside = deletingLastPathComponent().appending(path: ".beside")
    try FileManager.default.createSymbolicLink(
      atPath: beside.path, withDestinationPath: destination)
    try beside.rename(to: self)
  }

  /// Moves the file to the place of another one, which `FileManager` does not do in one step.
  func rename(to other: URL) throws {
    let code = unsafe systemRename(path, other.path)
    try #require(code == 0)
  }

  func makeFolder() throws {
    try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
  }

  func move(to other: URL) throws { try FileManager.default.moveItem(at: self, to: other) }

  func remove() throws { try FileManager.default.removeItem(at: self) }
}

// `URL` has a method with the name of this system function, which would hide it.
@unsafe private func systemRename(
  _ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>
) -> Int32 {
  unsafe rename(old, new)
}
