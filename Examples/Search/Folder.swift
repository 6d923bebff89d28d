import Terminal

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads the names in a folder one by one.
///
/// It calls system functions. On Linux, Foundation takes twenty times as long and does not report
/// which folder it could not read.
///
/// It is safe, because the handle is private and is closed once.
@safe final class Folder {
  struct Entry {
    var name: String
    /// `false` for a link to a folder, because the link may lead back.
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

  /// The path of an entry.
  ///
  /// It is relative if the path of the folder is.
  func path(of entry: Entry) -> String {
    path == "." ? entry.name : path.hasSuffix("/") ? path + entry.name : "\(path)/\(entry.name)"
  }

  /// Reads the next entry.
  ///
  /// Returns `nil` at the end.
  func next() throws -> Entry? {
    while true {
      // `readdir` returns null both at the end and on an error. Only `errno` tells them apart.
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

  /// The bytes of a file in the folder.
  ///
  /// Returns `nil` if there is no such file, if it cannot be read, or if it is larger than a
  /// megabyte.
  func contents(of name: String) -> [UInt8]? {
    // Not blocking, because opening a pipe would otherwise wait for its writer.
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = unsafe openat(dirfd(handle), name, flags)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= 1 << 20
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let capacity = bytes.count
    let count = unsafe read(descriptor, &bytes, capacity)
    return count < 0 ? nil : Array(bytes[..<count])
  }

  private func isFolder(_ name: String, _ type: UInt8) -> Bool {
    guard type == UInt8(DT_UNKNOWN) else { return type == UInt8(DT_DIR) }
    // Some file systems do not store the type in the entry.
    var status = stat()
    return unsafe fstatat(dirfd(handle), name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }
}
