package import Foundation

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Tells a file from all others, whatever its name.
package struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64
  /// The number of bytes that it had.
  package let size: UInt64
  /// Whether it has bytes of its own, unlike a folder or a pipe.
  package let isRegular: Bool

  package init?(at url: URL) {
    var status = stat()
    guard unsafe stat(url.path(percentEncoded: false), &status) == 0 else { return nil }
    self.init(status)
  }

  init?(of handle: FileHandle) {
    var status = stat()
    guard unsafe fstat(handle.fileDescriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = UInt64(truncatingIfNeeded: status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.device == right.device && left.inode == right.inode
  }
}
