#if canImport(Glibc) || canImport(Musl)
import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The events of the system about files and folders.
///
/// Its descriptor is closed after `end()`, once, on the queue.
final class Inotify: @unchecked Sendable {
  // Unchecked because nothing in it changes after the initialiser.

  struct Event {
    enum Kind { case arrived, left, written }

    let watch: Int32
    let kind: Kind
    /// The name in the watched folder; empty if the event is about what is watched itself.
    let name: [UInt8]
    /// Whether what is watched has ended, moved, or is no longer watched.
    let isEnd: Bool
    /// Whether the system has lost events.
    let isOverflow: Bool
  }

  /// Which events of a folder are wanted.
  struct Interest {
    fileprivate let mask: UInt32
    private init(_ masks: Int32...) { mask = masks.reduce(0) { $0 | UInt32(bitPattern: $1) } }

    /// That names come into the folder or leave it, and that the folder ends or moves.
    static let names = Interest(
      deleteSelf, moveSelf, onlyFolders, addToMask, create, movedTo, delete, movedFrom)
    /// Also that the files in the folder are written.
    static let contents = Interest(
      deleteSelf, moveSelf, onlyFolders, addToMask, create, movedTo, delete, movedFrom, modify)
  }

  // As in <sys/inotify.h>, whose macros not every libc shows to Swift.
  private static let modify: Int32 = 0x2
  private static let movedFrom: Int32 = 0x40
  private static let movedTo: Int32 = 0x80
  private static let create: Int32 = 0x100
  private static let delete: Int32 = 0x200
  private static let deleteSelf: Int32 = 0x400
  private static let moveSelf: Int32 = 0x800
  private static let unmount: UInt32 = 0x2000
  private static let overflow: UInt32 = 0x4000
  private static let ignored: UInt32 = 0x8000
  private static let onlyFolders: Int32 = 0x100_0000
  /// Keeps what another call has asked of the same folder.
  private static let addToMask: Int32 = 0x2000_0000

  private let descriptor: Int32
  private let source: any DispatchSourceRead

  /// - Returns: `nil` if the process or the user has too many watches.
  init?(on queue: DispatchQueue) {
    descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setCancelHandler { [descriptor] in _ = close(descriptor) }
  }

  /// Begins to call a closure on the queue.
  func start(_ receive: @escaping (Event) -> Void) {
    source.setEventHandler { [descriptor] in Self.read(from: descriptor, receive) }
    source.resume()
  }

  func end() { source.cancel() }

  /// Watches a folder, or also for more than before.
  ///
  /// - Returns: the number of the watch, which is the same for the same folder; `nil` if it cannot be
  ///   watched.
  func add(_ path: String, _ interest: Interest) -> Int32? {
    let watch = unsafe inotify_add_watch(descriptor, path, interest.mask)
    return watch >= 0 ? watch : nil
  }

  func remove(_ watch: Int32) { _ = inotify_rm_watch(descriptor, watch) }

  private static func read(from descriptor: Int32, _ receive: (Event) -> Void) {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe systemRead(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return }
      for event in events(in: bytes[..<count]) { receive(event) }
    }
  }

  /// The events in a buffer: each has a watch, a mask, a cookie, the length of its name, and the name.
  private static func events(in bytes: ArraySlice<UInt8>) -> [Event] {
    func number(at index: Int) -> UInt32 {
      unsafe bytes.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: index - bytes.startIndex, as: UInt32.self)
      }
    }
    var events: [Event] = []
    var index = bytes.startIndex
    while index + 16 <= bytes.endIndex {
      let (watch, mask) = (Int32(bitPattern: number(at: index)), number(at: index + 4))
      let length = Int(number(at: index + 12))
      let name = bytes[(index + 16)..<(index + 16 + length)].prefix { $0 != 0 }
      func has(_ flags: Int32...) -> Bool { flags.contains { mask & UInt32($0) != 0 } }
      let kind: Event.Kind =
        has(create, movedTo) ? .arrived : has(delete, movedFrom) ? .left : .written
      events.append(
        Event(
          watch: watch, kind: kind, name: Array(name),
          isEnd: has(deleteSelf, moveSelf) || mask & (unmount | ignored) != 0,
          isOverflow: mask & overflow != 0))
      index += 16 + length
    }
    return events
  }
}

// `Inotify` has a method with the name of this system function, which would hide it.
@unsafe private func systemRead(
  _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
  unsafe read(descriptor, bytes, count)
}
#endif
