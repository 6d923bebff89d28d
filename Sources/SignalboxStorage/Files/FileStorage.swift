public import Foundation
import Signalbox

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
/// Beside `note.json` there are a lock, `note.json.lock`, while a save runs the new file, such as
/// `note.json.new-…`, and what was set aside, such as `note.json.damaged-1` (P5). In a name, everything
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
  /// The locks that a storage has given away and that may still hold, by name.
  private let locks = LockedValue<[String: Weak]>([:])

  /// Makes a storage in a folder, which need not exist.
  ///
  /// Traps if the URL is not that of a file.
  public init(folder: URL) { self.init(folder: folder, files: SystemFiles()) }

  package init(folder: URL, files: any FileSystem) {
    let path = folder.absoluteURL.standardizedFileURL.path(percentEncoded: false)
    guard folder.isFileURL, !path.isEmpty else {
      fatalError(
        "FileStorage(folder:) needs a file URL in UTF-8, such as URL(filePath:), not \(folder).")
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
    let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789-_@.")
    var text = name.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    if text.hasPrefix(".") { text = "%2E" + text.dropFirst() }
    // A file system limits names to about 255 bytes, and what is set aside has a longer one.
    if text.utf8.count <= 180 { return "\(folder)/\(text).json" }
    // FNV-1a, because the hash must be the same in each process.
    let hash: UInt64 = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return "\(folder)/\(text.prefix(120))~\(String(hash, radix: 16)).json"
  }

  /// Locks the file `….lock`, which is removed when the lock ends, but not when the process is killed.
  ///
  /// If the file is a link, the file that it leads to is locked.
  ///
  /// - Throws: an error if the file cannot be created or locked.
  public func lock(_ name: String) throws -> (any StorageLock)? {
    let path = place(of: name)
    let target = files.target(of: path)
    try files.makeFolder(folder)
    guard let file = try files.lock(target + ".lock") else { return nil }
    // The name may lead elsewhere by now.
    let lock = Lock { [files] in file.isHeld && files.target(of: path) == target }
    locks.withLock { $0[name] = Weak(lock: lock) }
    removeLeftovers(of: target)
    return lock
  }

  // Removes what killed processes have left. A process that only lost its lock finds that its new
  // file has gone, and writes another one.
  private func removeLeftovers(of path: String) {
    let (folder, name) = Self.parts(of: path)
    for other in files.names(in: folder) where other.hasPrefix(name) {
      let rest = other.dropFirst(name.count)
      if rest.wholeMatch(of: /(\.damaged-[0-9]+)?\.new-[0-9a-f]{16}/) != nil {
        try? files.remove("\(folder)/\(other)")
      }
    }
  }

  /// Reads the file.
  ///
  /// - Throws: an error if something is there that is not a readable file.
  public func read(_ name: String) throws -> Data? { try files.read(place(of: name)) }

  /// Replaces the file.
  ///
  /// - Throws: an error if the new file may not outlive a power cut, or if the lock was lost.
  @concurrent public func write(_ data: Data, to name: String) async throws {
    let path = files.target(of: place(of: name))
    try put(data, at: path, of: name)
    try files.syncFolder(Self.parts(of: path).folder)
  }

  /// Writes a whole file under a name that no other process uses, and then gives it its own.
  private func put(_ data: Data, at path: String, of name: String) throws {
    let next = path + String(format: ".new-%016llx", UInt64.random(in: 0...(.max)))
    do {
      let file = try files.open(next, toReplace: path)
      defer { files.close(file) }
      try files.write(data, to: file)
      // Otherwise a power cut after the rename could leave a file with the right name and no bytes.
      try files.sync(file)
      // Another process may have taken the place of this one while it wrote.
      let isLocked = locks.withLock { $0[name] }?.lock?.isHeld ?? true
      guard isLocked, files.isOpen(file, at: next) else {
        let lock = files.target(of: place(of: name)) + ".lock"
        throw FileFailure(lock, code: 0, reason: "The lock was lost during the save")
      }
      try files.rename(next, to: path)
    } catch {
      try? files.remove(next)
      throw error
    }
  }

  /// Syncs the file, if there is one, and every folder that holds its name or that of a folder.
  ///
  /// An earlier process may have made any of them and may have been killed before it synced.
  ///
  /// - Throws: an error if the file, or that there is none, may not outlive a power cut.
  @concurrent public func sync(_ name: String) async throws {
    let place = place(of: name)
    let path = files.target(of: place)
    if files.exists(path) { try files.syncFile(path) }
    let own = Self.parts(of: path).folder
    try files.syncFolder(own)
    for folder in Set(Self.folders(around: path) + Self.folders(around: place)) where folder != own
    {
      do {
        try files.syncFolder(folder)
      } catch {
        // A folder that this user cannot even list was made by someone else.
        if ![EACCES, EPERM].contains(error.code) { throw error }
      }
    }
  }

  /// Renames the file to the next of `….damaged-1`, `….damaged-2` and so on that is free.
  ///
  /// A link stays, and what it leads to is copied.
  ///
  /// - Throws: an error if the file still has its name, or may have it after a power cut.
  public func setAside(_ name: String) throws -> String {
    let path = place(of: name)
    // The folder may be a link, which is no reason to leave the file.
    let isLink =
      files.target(of: path) != files.target(of: folder) + "/" + Self.parts(of: path).name
    if isLink, let data = try files.read(path) {
      return try keep(data, beside: name)
    }
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
    try put(data, at: other, of: name)
    try files.syncFolder(folder)
    return String(other.dropFirst(folder.count + 1))
  }

  private func copy(_ number: Int, of path: String) -> String { "\(path).damaged-\(number)" }

  private func nextCopy(of path: String) throws -> Int {
    let next = Self.lastCopy(of: Self.parts(of: path).name, in: files.names(in: folder)) + 1
    // In a folder that cannot be listed, each name is tried. If all seem to exist, it is broken.
    let free = (next..<next + 10_000).first { !files.exists(copy($0, of: path)) }
    guard let free else { throw FileFailure(path, code: EEXIST) }
    return free
  }

  /// The number of the latest copy; 0 if there is none.
  static func lastCopy(of name: String, in names: [String]) -> Int {
    let start = "\(name).damaged-"
    let numbers = names.filter { $0.hasPrefix(start) }.map { $0.dropFirst(start.count) }
    return Int(numbers.compactMap { Int32($0) }.max() ?? 0)
  }

  static func parts(of path: String) -> (folder: String, name: String) {
    // A name may begin with a combining character, so a slash is not always a `Character`.
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    let folder = path[..<end]
    let name = String(path.unicodeScalars[end...].drop { $0 == "/" })
    return (folder.isEmpty ? "/" : String(folder), name)
  }

  /// The folders that a path leads through, from the innermost up to the root.
  private static func folders(around path: String) -> [String] {
    var folders = [parts(of: path).folder]
    while let last = folders.last, last != "/" { folders.append(parts(of: last).folder) }
    return folders
  }
}

extension FileStorage {
  /// Is the same for all storages that keep a name in the same place; `nil` if there is no other.
  func identity(of name: String) -> AnyHashable? {
    files is SystemFiles ? AnyHashable(files.target(of: place(of: name))) : nil
  }

  /// The process that has locked a name; `nil` if that is not known.
  func holder(of name: String) -> Int32? {
    let text = try? files.read(files.target(of: place(of: name)) + ".lock")
    return text.flatMap { Int32(String(decoding: $0, as: UTF8.self).filter { $0 != "\n" }) }
  }
}

private struct Weak: Sendable { weak let lock: Lock? }
