package import Foundation

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Writes a file that only its owner may read, as a recording.
///
/// A file in its place stays as it is until the new one is whole. Links are followed.
///
/// - Throws: a `TracePageError`.
package func writePrivately(_ bytes: Data, to url: URL) throws(TracePageError) {
  do {
    let target = url.resolvingSymlinksInPath()
    let files = FileManager.default
    let type = try? files.attributesOfItem(atPath: target.path)[.type] as? FileAttributeType
    // A pipe or a device has nothing to keep, and no file takes its place.
    guard type == nil || type == .typeRegular else {
      return try FileHandle(forWritingTo: target).write(contentsOf: bytes)
    }
    // A file that may not be written is not replaced, either.
    if type != nil, !files.isWritableFile(atPath: target.path) { throw SystemError(code: EACCES) }
    let new = target.deletingLastPathComponent().appending(path: ".signalbox-\(UUID().uuidString)")
    let descriptor = unsafe open(new.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: bytes)
      try handle.close()
      guard unsafe rename(new.path, target.path) == 0 else { throw SystemError(code: errno) }
    } catch {
      try? files.removeItem(at: new)
      throw error
    }
  } catch {
    throw .cannotWrite(url, reason: reason(of: error))
  }
}

/// The bytes of a recording, which may come through a pipe.
package func bytes(ofRecording url: URL) throws -> Data {
  let path = url.path(percentEncoded: false)
  if path == "/dev/stdin" { return try FileHandle.standardInput.readToEnd() ?? Data() }
  let type =
    try? FileManager.default.attributesOfItem(
      atPath: url.resolvingSymlinksInPath().path)[.type] as? FileAttributeType
  // Other files have no size that tells how much there is to read.
  guard let type, type != .typeRegular, type != .typeDirectory else {
    return try Data(contentsOf: url, options: .mappedIfSafe)
  }
  return try FileHandle(forReadingFrom: url).readToEnd() ?? Data()
}

/// What the system says about an error, as the end of a clause.
package func reason(of error: any Error) -> String {
  if let code = systemError(error) { return unsafe String(cString: strerror(code)) }
  let text = error.localizedDescription
  return text.hasSuffix(".") ? String(text.dropLast()) : text
}

/// The number of the system's error, if there is one.
package func systemError(_ error: any Error) -> Int32? {
  if let error = error as? SystemError { return error.code }
  let error = error as NSError
  let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
  return underlying.domain == NSPOSIXErrorDomain ? Int32(underlying.code) : nil
}

private struct SystemError: Error { let code: Int32 }
