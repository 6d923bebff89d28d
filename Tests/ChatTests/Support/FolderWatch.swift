import ExampleTesting
import Foundation
import Terminal

@testable import Chat

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
import Dispatch
#endif

/// Waits for a folder to change.
final class FolderWatch: Sendable {
  private let folder: TemporaryFolder
  private let descriptor: Int32

  init(_ folder: TemporaryFolder) {
    self.folder = folder
    let path = folder.path
    #if canImport(Darwin)
    descriptor = unsafe open(path, O_EVTONLY)
    #else
    descriptor = inotify_init1(Int32(IN_NONBLOCK))
    _ = unsafe inotify_add_watch(descriptor, path, UInt32(IN_MOVED_TO | IN_DELETE))
    #endif
  }

  deinit {
    _ = close(descriptor)
  }

  /// Waits until a file in the folder has this draft.
  func sees(_ contents: String) async -> Bool {
    await onThread { [self] in
      let patience = Patience()
      while !hasFile(contents) {
        waitForChange()
        guard patience.isLeft else { return false }
      }
      return true
    }
  }

  private func hasFile(_ contents: String) -> Bool {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.contains { $0.hasSuffix(".json") && folder.draft(in: $0) == contents }
  }

  /// Waits for a second at most.
  private func waitForChange() {
    #if canImport(Darwin)
    let change = DispatchSemaphore(value: 0)
    let source = DispatchSource.makeFileSystemObjectSource(
      fileDescriptor: descriptor, eventMask: .write)
    source.setEventHandler { change.signal() }
    source.activate()
    defer { source.cancel() }
    _ = change.wait(timeout: .now() + 1)
    #else
    var poll = Poll()
    _ = poll.add(descriptor, for: .read)
    guard poll.wait(until: .now + .seconds(1)) else { return }
    var events = [UInt8](repeating: 0, count: 4 << 10)
    let capacity = events.count
    _ = unsafe read(descriptor, &events, capacity)
    #endif
  }
}
