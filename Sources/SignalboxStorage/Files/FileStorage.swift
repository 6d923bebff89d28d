public import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Keeps each saved state in a file of its own, in one folder.
///
///     FileStorage(folder: FileStorage.applicationFolder("chat"))
///
///     // signalbox 1, version 2          ← note.json, which people can read and mend
///     {
///       "draft" : "dear all"
///     }
///
/// The folder is made when it is needed. Folder and files can be read by their owner only (P9).
/// Beside `note.json` there are a lock, `note.json.lock`, while a save runs the new file,
/// `note.json.new`, and what was set aside, such as `note.json.damaged-1` (P5). In a name, everything
/// but lower-case letters, digits, `-`, `_`, `@` and dots that are not the first character is written
/// as in a URL, such as `%41` for `A`, because some file systems do not distinguish cases. The end of a
/// very long name is replaced by a hash of the name.
///
/// On iOS, the folder must not be in a container that apps share. The system ends an app that holds a
/// lock there when it is suspended.
///
/// A save writes beside the file, syncs, renames and syncs the folder (P3). If the file is a link,
/// the file that it leads to is replaced.
public struct FileStorage: Storage {
  private let folder: String
  private let files: any FileSystem

  /// Makes a storage in a folder, which need not exist.
  ///
  /// Traps if the URL is not that of a file.
  public init(folder: URL) { self.init(folder: folder, files: SystemFiles()) }

  package init(folder: URL, files: any FileSystem) {
    guard folder.isFileURL else {
      fatalError("FileStorage(folder:) needs a file URL, such as URL(filePath:), not \(folder).")
    }
    let path = folder.absoluteURL.standardizedFileURL.path(percentEncoded: false)
    guard !path.isEmpty else {
      fatalError("FileStorage(folder:) needs a URL whose path is UTF-8, not \(folder).")
    }
    self.folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.files = files
  }

  /// The platform's folder for the data of an application.
  ///
  /// On Apple platforms it is in `Application Support`. Elsewhere it is in `$XDG_STATE_HOME` or, if
  /// that is not an absolute path, in `~/.local/state`.
  ///
  /// - Parameters:
  ///   - application: the name of the folder, such as the name of the program.
  ///   - environment: the variables of the process.
  public static func applicationFolder(
    _ application: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL {
    #if canImport(Darwin)
    return URL.applicationSupportDirectory.appending(path: application, directoryHint: .isDirectory)
    #else
    let home = environment["HOME"] ?? NSHomeDirectory()
    // The XDG specification requires programs to ignore a relative path.
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return URL(filePath: state ?? "\(home)/.local/state", directoryHint: .isDirectory)
      .appending(path: application, directoryHint: .isDirectory)
    #endif
  }

  /// The file of a saved state.
  public func file(_ name: String) -> URL { URL(filePath: place(of: name)) }

  private func place(of name: String) -> String {
    // Equal names may differ in their bytes: "é" is one character or two.
    let name = name.precomposedStringWithCanonicalMapping
    var isFirst = true
    let characters = name.utf8.map { byte in
      defer { isFirst = false }
      let character = Character(Unicode.Scalar(byte))
      let isPlain = character.isASCII && (character.isLowercase || character.isNumber)
      if isPlain || "-_@".contains(character) || (character == "." && !isFirst) {
        return String(character)
      }
      return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }
    let text = characters.joined()
    // A file system limits names to about 255 bytes, and what is set aside has a longer one.
    let stem = text.utf8.count <= 180 ? text : "\(text.prefix(120))~\(Self.hash(of: name))"
    return "\(folder)/\(stem).json"
  }

  /// A number for a name that is the same in each process (FNV-1a).
  private static func hash(of name: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }

  // MARK: - Storage

  /// Locks the file `….lock`, which is removed when the lock ends, but not when the process is killed.
  ///
  /// If the file is a link, the lock of the file that it leads to is taken as well.
  ///
  /// - Throws: an error if the file cannot be created or locked.
  public func lock(_ name: String) throws -> (any StorageLock)? {
    let path = place(of: name)
    let target = files.target(of: path)
    // In this order for each writer, so that of two writers one gets both.
    guard let lock = try lock(at: target + ".lock"),
      let more = target == path ? [] : try lockOfLink(at: path + ".lock")
    else { return nil }
    // When the link was set aside or replaced, its own lock counts.
    return PlaceLock([lock] + more) { [target, path].contains(files.target(of: path)) }
  }

  private func lockOfLink(at path: String) throws(FileFailure) -> [any StorageLock]? {
    do {
      return try lock(at: path).map { [$0] }
    } catch let error where [EACCES, EPERM, EROFS].contains(error.code) {
      // Nothing in the folder of the link can be set aside or replaced.
      return []
    }
  }

  private func lock(at path: String) throws(FileFailure) -> (any StorageLock)? {
    do {
      return try files.lock(path)
    } catch let error where error.code == ENOENT {
      try files.makeFolder(folder)
      return try files.lock(path)
    }
  }

  /// Reads the file.
  ///
  /// - Throws: an error if something is there that is not a readable file.
  public func read(_ name: String) throws -> Data? { try files.read(place(of: name)) }

  /// Replaces the file.
  ///
  /// - Throws: an error if the new file may not outlive a power cut.
  @concurrent public func write(_ data: Data, to name: String) async throws {
    let path = files.target(of: place(of: name))
    try put(data, at: path, by: path + ".new")
    try files.syncFolder(Self.folder(of: path))
  }

  /// Writes a whole file under another name and then gives it its own.
  private func put(_ data: Data, at path: String, by next: String) throws {
    do {
      let file = try openNew(next)
      do {
        defer { files.close(file) }
        try files.write(data, to: file)
        // Synced before it is renamed. Otherwise a power cut could leave a file with the right name
        // and without its bytes.
        try files.sync(file)
      }
      try files.rename(next, to: path)
    } catch {
      try? files.remove(next)
      throw error
    }
  }

  private func openNew(_ path: String) throws(FileFailure) -> Int32 {
    do {
      return try files.open(path)
    } catch let error where error.code == EEXIST {
      // What a killed process has left. It is never opened again, because it may be a link.
      try files.remove(path)
    } catch let error where error.code == ENOENT {
      try files.makeFolder(folder)
    }
    return try files.open(path)
  }

  /// Syncs the file, if there is one, and the folder.
  ///
  /// - Throws: an error if the file, or that there is none, may not outlive a power cut.
  @concurrent public func sync(_ name: String) async throws {
    let path = files.target(of: place(of: name))
    if files.exists(path) { try files.syncFile(path) }
    try files.syncFolder(Self.folder(of: path))
  }

  /// Renames the file to the next of `….damaged-1`, `….damaged-2` and so on that is free.
  ///
  /// - Throws: an error if the file still has its name, or may have it after a power cut.
  public func setAside(_ name: String) throws -> String {
    let path = place(of: name)
    let other = copy(try nextCopy(of: path), of: path)
    files.hide(path)
    try files.rename(path, to: other)
    // Otherwise a power cut could undo this rename and keep the next one, which replaces the file.
    try files.syncFolder(folder)
    return String(other.dropFirst(folder.count + 1))
  }

  /// Writes a file beside the one of a name, with the next of the names that `setAside` uses.
  ///
  /// If the latest of these files has the same bytes, it is replaced.
  ///
  /// - Throws: an error if the file may not outlive a power cut.
  public func keep(_ data: Data, beside name: String) throws -> String {
    let path = place(of: name)
    let number = try nextCopy(of: path)
    // An attempt that has failed may have left it, so it may not outlive a power cut yet.
    let isThere = number > 1 && (try? files.read(copy(number - 1, of: path))) == data
    let other = copy(isThere ? number - 1 : number, of: path)
    try put(data, at: other, by: path + ".new")
    try files.syncFolder(folder)
    return String(other.dropFirst(folder.count + 1))
  }

  private func copy(_ number: Int, of path: String) -> String { "\(path).damaged-\(number)" }

  private func nextCopy(of path: String) throws -> Int {
    let number = CopyNumber.next { files.exists(copy($0, of: path)) }
    guard let number else { throw FileFailure(path, code: EEXIST) }
    return number
  }

  private static func folder(of path: String) -> String {
    let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    return parent.isEmpty ? "/" : String(parent)
  }
}

/// The lock of a file and, if it is a link, of what it leads to.
private final class PlaceLock: StorageLock {
  private let locks: [any StorageLock]
  private let isInPlace: @Sendable () -> Bool

  /// - Parameter isInPlace: whether the file does not lead elsewhere by now.
  init(_ locks: [any StorageLock], isInPlace: @escaping @Sendable () -> Bool) {
    self.locks = locks
    self.isInPlace = isInPlace
  }

  var isHeld: Bool { locks.allSatisfy(\.isHeld) && isInPlace() }
}
