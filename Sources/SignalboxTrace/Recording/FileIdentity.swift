import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Tells a file from all others, whatever its name.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64

  /// The file that has a name now; `nil` if there is none.
  init?(at url: URL) {
    var status = stat()
    guard unsafe stat(url.path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file that is open; `nil` if it is not.
  init?(of handle: FileHandle) {
    var status = stat()
    guard unsafe fstat(handle.fileDescriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
