package import Foundation

/// Writes a file that only its owner may read, as a recording.
///
/// A file in its place stays as it is until the new one is whole. Links are followed.
package func writePrivately(_ bytes: Data, to url: URL) throws {
  try RecordingError.explaining(url) {
    let target = try url.followingLinks()
    let files = FileManager.default
    let type = try? files.attributesOfItem(atPath: target.path)[.type] as? FileAttributeType
    // A pipe or a device has nothing to keep, and no file takes its place.
    guard type == nil || type == .typeRegular else {
      return try FileHandle(forWritingTo: target).write(contentsOf: bytes)
    }
    // A file that may not be written is not replaced, either.
    if type != nil, !files.isWritableFile(atPath: target.path) { throw SystemError(code: EACCES) }
    let (new, handle) = try newPrivateFile(beside: target)
    // Does nothing if the new file has got its name.
    defer { _ = unsafe unlink(new.path) }
    try handle.write(contentsOf: bytes)
    try handle.close()
    try rename(new, to: target)
  }
}

extension URL {
  /// The file that links lead to, which need not exist.
  func followingLinks() throws -> URL {
    guard isFileURL else { throw NoFile() }
    let files = FileManager.default
    var url = self
    // As many as Linux follows.
    for _ in 0...40 {
      url.resolveSymlinksInPath()
      // Foundation does not resolve a link whose target does not exist.
      guard !files.fileExists(atPath: url.path),
        let target = try? files.destinationOfSymbolicLink(atPath: url.path)
      else { return url }
      let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
      url = target.hasPrefix("/") ? URL(filePath: target) : folder.appending(path: target)
    }
    throw SystemError(code: ELOOP)
  }
}

/// Makes a file of a name that no other has, which is to take the place of another one.
func newPrivateFile(beside url: URL) throws -> (url: URL, handle: FileHandle) {
  let name = ".signalbox-\(getpid())-\(UUID().uuidString)"
  let new = url.deletingLastPathComponent().appending(path: name)
  return (new, try newPrivateFile(at: new))
}

/// Makes a file that is readable by its owner only, because it has the user's data in it.
func newPrivateFile(at url: URL) throws -> FileHandle {
  let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
  let file = unsafe open(url.path, flags, 0o600)
  guard file >= 0 else { throw SystemError(code: errno) }
  // The mask of the process may have taken the owner's rights away.
  _ = fchmod(file, 0o600)
  return FileHandle(fileDescriptor: file, closeOnDealloc: true)
}

func rename(_ file: URL, to other: URL) throws {
  guard unsafe rename(file.path, other.path) == 0 else { throw SystemError(code: errno) }
}

/// The bytes of a recording, which may come through a pipe.
package func bytes(ofRecording url: URL) throws -> Data {
  try FileHandle(forReadingFrom: url).readToEnd() ?? Data()
}

/// What the system says about an error, as the end of a clause.
package func reason(of error: any Error) -> String {
  if let code = systemError(error) { return unsafe String(cString: strerror(code)) }
  let text = error.localizedDescription
  return text.hasSuffix(".") ? String(text.dropLast()) : text
}

package func systemError(_ error: any Error) -> Int32? {
  if let error = error as? SystemError { return error.code }
  let error = error as NSError
  let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
  return underlying.domain == NSPOSIXErrorDomain ? Int32(underlying.code) : nil
}

private struct SystemError: Error { let code: Int32 }

private struct NoFile: LocalizedError {
  var errorDescription: String? { "this is not a file URL" }
}
