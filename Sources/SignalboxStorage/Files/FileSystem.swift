package import Foundation

/// The calls with which `FileStorage` uses files.
///
/// The first six change the disk. Tests use a file system that loses power before, within or after
/// any of them.
package protocol FileSystem: Sendable {
  /// Creates a file for its owner alone, who is that of `other` if that exists, and opens it for
  /// writing; fails if there is a file already.
  func open(_ path: String, toReplace other: String) throws(FileFailure) -> Int32
  func write(_ bytes: Data, to file: Int32) throws(FileFailure)
  /// Makes the bytes of an open file outlive a power cut.
  func sync(_ file: Int32) throws(FileFailure)
  /// Gives a file another name and replaces the file that has it, in one step.
  func rename(_ path: String, to other: String) throws(FileFailure)
  func remove(_ path: String) throws(FileFailure)
  /// Makes the names in a folder outlive a power cut.
  func syncFolder(_ path: String) throws(FileFailure)

  /// Whether a name is still that of an open file.
  func isOpen(_ file: Int32, at path: String) -> Bool
  func close(_ file: Int32)
  func syncFile(_ path: String) throws(FileFailure)
  /// The bytes of a file; `nil` only if there is certainly nothing with that name.
  func read(_ path: String) throws(FileFailure) -> Data?
  /// Whether there is anything with a name, even a link that leads nowhere.
  func exists(_ path: String) -> Bool
  /// The path without links, except for those that lead nowhere.
  func target(of path: String) -> String
  /// The names in a folder; none if they cannot be read.
  func names(in folder: String) -> [String]
  /// Makes a file readable by its owner only.
  func hide(_ path: String)
  /// Makes a folder that its owner alone can use, and those around it.
  func makeFolder(_ path: String) throws(FileFailure)
  /// Locks a file, which is created if necessary; `nil` if another lock on it exists.
  func lock(_ path: String) throws(FileFailure) -> (any StorageLock)?
}

/// Why a call has failed.
package struct FileFailure: Error, Equatable, CustomStringConvertible {
  let path: String
  let code: Int32
  /// The reason, if it is not that of the code.
  let reason: String?

  package init(_ path: String, code: Int32, reason: String? = nil) {
    self.path = path
    self.code = code
    self.reason = reason
  }

  package var description: String {
    "\(path): \(unsafe reason ?? String(cString: strerror(code)))."
  }
}
