#if canImport(Glibc) || canImport(Musl) || canImport(Android)
import Foundation

/// The inotify instance of the process, which watches for all of its watched files.
///
///     watch of a folder ──▶ name in it ──▶ the file watches that look it up there
///
/// It is shared because the system gives a user 128 instances for all programs. The file watches own
/// it, so it lasts from the first one to the last one.
final class Inotify: @unchecked Sendable {
  // Unchecked because all of it is used on `queue` alone.

  struct Event {
    enum Kind { case made, arrived, left, written, ended, lost }

    let watch: Int32
    let kind: Kind
    /// The name in the watched folder; empty if the event is about what is watched itself.
    let name: [UInt8]
  }

  /// What is looked up by its name in each watched folder.
  typealias Lookups = [Int32: [[UInt8]: PathWalk.Lookup]]

  static let queue = DispatchQueue(label: "SignalboxSources.Inotify")
  private nonisolated(unsafe) static weak var current: Inotify?

  /// - Returns: `nil` if the process or the user has too many descriptors or instances.
  static var shared: Inotify? {
    if let current = unsafe current { return current }
    let new = Inotify()
    unsafe current = new
    return new
  }

  // As in <sys/inotify.h>, whose macros not every libc shows to Swift.
  private static let (modify, movedFrom, movedTo) = (0x2, 0x40, 0x80)
  private static let (create, delete, deleteSelf, moveSelf) = (0x100, 0x200, 0x400, 0x800)
  private static let (unmount, overflow, ignored) = (0x2000, 0x4000, 0x8000)
  /// The second one keeps what another call has asked of the same folder.
  private static let (onlyFolders, addToMask) = (0x100_0000, 0x2000_0000)
  private static let contents = modify | addToMask
  private static let names =
    deleteSelf | moveSelf | onlyFolders | addToMask | create | movedTo | delete | movedFrom

  private let descriptor: Int32
  private var readable: ReadWatch?
  /// Tells that something was mounted or unmounted; `nil` if the process does not see `/proc`.
  private var mounted: ReadWatch?
  private var receivers: [Int32: [[UInt8]: [ObjectIdentifier: FileWatch]]] = [:]

  private init?() {
    descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    readable = try? ReadWatch(descriptor, on: Self.queue) { [weak self] in
      self?.read()
      self?.readable?.resume()
    }
    guard let readable else {
      _ = close(descriptor)
      return nil
    }
    readable.resume()
    let mounts = unsafe open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    mounted = try? ReadWatch(mounts, for: POLLPRI, on: Self.queue) { [weak self] in
      self?.passMount()
    }
    if mounted == nil { _ = close(mounts) }
    mounted?.resume()
  }

  deinit {
    readable?.end()
    mounted?.end()
  }

  /// - Returns: the watch, the same for the same folder; `nil` if the system cannot watch it.
  func add(_ step: PathWalk.Step) -> Int32? {
    let mask = step.lookup == .contents ? Self.contents : Self.names
    let watch = unsafe inotify_add_watch(descriptor, step.folder, UInt32(mask))
    return watch >= 0 ? watch : nil
  }

  /// The watch of a folder is removed with the last name that is looked up there.
  func replace(_ old: Lookups, by new: Lookups, of watch: FileWatch) {
    let id = ObjectIdentifier(watch)
    for (number, names) in new {
      for name in names.keys where old[number]?[name] == nil {
        receivers[number, default: [:]][name, default: [:]][id] = watch
      }
    }
    for (number, names) in old {
      for name in names.keys where new[number]?[name] == nil {
        receivers[number]?[name]?[id] = nil
        if receivers[number]?[name]?.isEmpty == true { receivers[number]?[name] = nil }
      }
      guard receivers[number]?.isEmpty == true else { continue }
      receivers[number] = nil
      _ = inotify_rm_watch(descriptor, number)
    }
  }

  /// - Returns: whether there were events.
  @discardableResult
  private func read() -> Bool {
    var hasEvents = false
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return hasEvents }
      hasEvents = true
      for event in Self.events(in: bytes[..<count]) { pass(event) }
    }
  }

  private func pass(_ event: Event) {
    let found: [FileWatch] =
      switch event.kind {
      case .lost: all(in: receivers.values.flatMap(\.values))
      case .ended: all(in: receivers[event.watch].map { Array($0.values) } ?? [])
      default: receivers[event.watch]?[event.name].map { Array($0.values) } ?? []
      }
    for watch in found { watch.receive(event) }
  }

  /// Looks again at the files that a mount, and not an event that is still to be read, has changed.
  private func passMount() {
    let watches = all(in: receivers.values.flatMap(\.values))
    for watch in watches { watch.setWatches() }
    var moved: [FileWatch] = []
    // Someone may write all the time, so there is an end.
    for _ in 1...10 {
      read()
      moved = watches.filter(\.isElsewhere)
      if !read() { break }
    }
    for watch in moved { watch.lookAgain() }
    mounted?.resume()
  }

  /// Each file watch once.
  private func all(in names: [[ObjectIdentifier: FileWatch]]) -> [FileWatch] {
    Array(names.reduce(into: [:]) { $0.merge($1) { first, _ in first } }.values)
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
      func has(_ flags: Int) -> Bool { Int(mask) & flags != 0 }
      let kind: Event.Kind =
        has(overflow)
        ? .lost
        : has(deleteSelf | moveSelf | unmount | ignored)
          ? .ended
          : has(create)
            ? .made
            : has(movedTo) ? .arrived : has(delete | movedFrom) ? .left : .written
      events.append(Event(watch: watch, kind: kind, name: Array(name)))
      index += 16 + length
    }
    return events
  }
}
#endif
