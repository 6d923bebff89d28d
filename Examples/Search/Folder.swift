import Terminal

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The names in a folder, read one by one.
///
/// The system's own functions: on Linux Foundation takes twenty times as long, and does not tell
/// which folder it could not read.
///
/// Safe, because the handle never gets out and is closed once.
@safe final class Folder {
  struct Entry {
    var name: String
    /// A link to a folder is none: it could lead back.
    var isFolder: Bool
  }

  #if canImport(Darwin)
  private typealias Handle = UnsafeMutablePointer<DIR>
  #else
  private typealias Handle = OpaquePointer
  #endif

  let path: String
  private let handle: Handle

  init(_ path: String) throws {
    guard let handle = unsafe opendir(path) else { throw SystemError.last }
    self.path = path
    unsafe self.handle = handle
  }

  deinit {
    unsafe closedir(handle)
  }

  /// The path of an entry, as short as it was asked for.
  func path(of entry: Entry) -> String {
    path == "." ? entry.name : path.hasSuffix("/") ? path + entry.name : "\(path)/\(entry.name)"
  }

  /// `nil` at the end.
  func next() throws -> Entry? {
    while true {
      // The only way to tell the end from an error.
      errno = 0
      guard let entry = unsafe readdir(handle) else {
        guard errno == 0 else { throw SystemError.last }
        return nil
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." {
        return Entry(name: name, isFolder: isFolder(name, unsafe entry.pointee.d_type))
      }
    }
  }

  private func isFolder(_ name: String, _ type: UInt8) -> Bool {
    guard type == UInt8(DT_UNKNOWN) else { return type == UInt8(DT_DIR) }
    // Not every file system knows without looking.
    var status = stat()
    return unsafe fstatat(dirfd(handle), name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }
}
