import Foundation
import Terminal

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file with the unsent draft of one name in one room.
///
/// Saving is atomic. If the writer is killed, the file has the old text or the new one.
struct DraftFile: Sendable {
  struct Trouble: Error, Equatable, CustomStringConvertible {
    var description: String
  }

  let path: String
  private let folder: String

  init(folder: String, name: String, room: Address) {
    let key = "\(name)@\(room)".utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      return isPlain || "@.-_".contains(character)
        ? String(character) : "%" + String(byte, radix: 16, uppercase: true)
    }
    self.folder = folder
    path = "\(folder)/\(key.joined()).txt"
  }

  static func folder(environment: [String: String]) -> String {
    if let folder = environment["CHAT_DRAFTS"], !folder.isEmpty { return folder }
    let home = environment["HOME"] ?? NSHomeDirectory()
    #if canImport(Darwin)
    return "\(home)/Library/Application Support/signalbox-chat"
    #else
    // The XDG specification requires programs to ignore a relative path.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return "\(state)/signalbox-chat"
    }
    return "\(home)/.local/state/signalbox-chat"
    #endif
  }

  func load() throws -> String {
    guard FileManager.default.fileExists(atPath: path) else { return "" }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw Trouble(description: "The draft cannot be read from \(path).")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func save(_ draft: String) throws {
    do {
      if draft.isEmpty {
        try check(unsafe unlink(path) == 0 || errno == ENOENT)
      } else {
        try replace(with: Array(draft.utf8))
      }
    } catch {
      throw Trouble(description: "The draft cannot be saved in \(folder): \(error).")
    }
  }

  private func replace(with bytes: [UInt8]) throws {
    try makeFolder()
    let next = path + ".new"
    let file = unsafe open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    try check(file >= 0)
    do {
      defer { _ = close(file) }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        try check(count >= 0)
        rest = rest.dropFirst(count)
      }
      // The text is synchronized before the file is renamed. Otherwise a power failure could leave
      // a file with the new name and without its text.
      try check(fsync(file) == 0)
    }
    try check(unsafe rename(next, path) == 0)
  }

  fileprivate func makeFolder() throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      // On some systems, Foundation's error description is a page long.
      try check(unsafe access(folder, W_OK) == 0)
      throw SystemError(code: ENOTDIR)
    }
  }

  private func check(_ succeeded: Bool) throws {
    guard succeeded else { throw SystemError.last }
  }
}

/// A lock that keeps two processes from editing the same draft.
final class DraftLock: Sendable {
  let file: DraftFile
  private let descriptor: Int32

  /// Takes the lock.
  ///
  /// Returns `nil` if another process holds it. If the folder is not writable, this does not fail,
  /// because saving reports that error.
  init?(_ file: DraftFile) {
    self.file = file
    try? file.makeFolder()
    descriptor = unsafe open(file.path + ".lock", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    // The system releases the lock however the process ends.
    if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return nil }
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
  }
}
