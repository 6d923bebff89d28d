import Foundation
internal import SignalboxInspection

/// Writes the lines of a recording, and keeps its file below a limit.
///
///     0            limit/2           limit
///     ├── header ─────┼─────────────────┤
///                     │ states, kept    │ full: the states and what follows them become
///                     ▼                 ▼ the beginning of a new file
///     ├── header ─ states ─ lines since ┤
///
/// It applies the changes to the states itself, so whole states in the file cost the program nothing.
struct TraceWriter {
  /// A store that has not been released.
  private struct OpenStore {
    var info: TraceEvent
    var state: ValueTree?
    /// The bytes of the changes since the last whole state, and the bytes of that state.
    var changed = 0
    var whole = 0
  }

  /// What a new file begins with if it replaces this one.
  private struct Half {
    let offset: Int
    let time: Double
    let stores: [Int: OpenStore]
  }

  private let url: URL
  private let header: TraceHeader
  private let limit: Int
  /// The bytes of changes after which a whole state is written, if they are more than the state.
  private let checkpoint: Int
  private var handle: FileHandle
  private var identity: FileIdentity?
  private var size = 0
  /// The size at which the file is replaced.
  private var full: Int
  private var half: Half?
  private var stores: [Int: OpenStore] = [:]
  private var buffer: [UInt8] = []

  init(url: URL, header: TraceHeader, limit: Int, checkpoint: Int) throws {
    self.url = url
    self.header = header
    self.limit = limit
    self.checkpoint = checkpoint
    full = limit
    // Removed, so that a program that follows the file notices that it is another one.
    _ = unsafe unlink(url.path)
    handle = try newPrivateFile(at: url)
    identity = FileIdentity(of: handle)
    buffer = header.bytes
    try flush()
  }

  mutating func write(_ events: [TraceEvent]) throws {
    try RecordingError.explaining(url) {
      for event in events {
        let line = event.bytes
        buffer += line
        follow(event, bytes: line.count)
        if buffer.count > 65_536 { try flush() }
      }
      try flush()
    }
  }

  func close() { try? handle.close() }

  private mutating func flush() throws {
    if buffer.isEmpty { return }
    try checkName()
    try handle.write(contentsOf: buffer)
    size += buffer.count
    // A large state would otherwise keep its memory.
    buffer.removeAll(keepingCapacity: buffer.count < 1 << 20)
    if size >= full { try replace() }
    if half == nil, size >= full / 2 {
      half = Half(offset: size, time: lastTime, stores: stores)
    }
  }

  /// Checks that the file still has its name, without which what is written is lost.
  private func checkName() throws {
    guard FileIdentity(at: url) != identity else { return }
    throw RecordingError.cannotWrite(
      url, reason: "the file was removed, or another program records into it")
  }

  private var lastTime = 0.0

  // MARK: - States

  private mutating func follow(_ event: TraceEvent, bytes: Int) {
    lastTime = event.time
    guard let number = event.store, event.child == nil else { return }
    switch event.kind {
    case .store: stores[number] = OpenStore(info: event)
    case .released: stores[number] = nil
    case .started(let state): stores[number]?.state = state
    case .changed(let edits), .lost(_, let edits): apply(edits, to: number, bytes: bytes)
    default: break
    }
  }

  private mutating func apply(_ edits: [ValueEdit], to number: Int, bytes: Int) {
    // Taken out, because a state that is held twice would be copied.
    guard var state = stores[number]?.state.take() else { return }
    do {
      try state.apply(edits)
    } catch {
      // A reader finds the change that does not fit. There are no whole states to hide it.
      return
    }
    stores[number]?.changed += bytes
    if let store = stores[number], store.changed > max(checkpoint, store.whole) {
      let line = TraceEvent(store: number, time: lastTime, kind: .state(state)).bytes
      buffer += line
      stores[number]?.changed = 0
      stores[number]?.whole = line.count
    }
    stores[number]?.state = state
  }

  // MARK: - A new file

  private mutating func replace() throws {
    guard let half else { return }
    let (next, new) = try newPrivateFile(beside: url)
    // Does nothing if the new file has got its name.
    defer { _ = unsafe unlink(next.path) }
    var lines = header.bytes
    for (number, store) in half.stores.sorted(by: { $0.key < $1.key }) {
      lines += store.info.bytes
      guard let state = store.state else { continue }
      lines += TraceEvent(store: number, time: half.time, kind: .state(state)).bytes
    }
    try new.write(contentsOf: lines)
    try handle.seek(toOffset: UInt64(half.offset))
    var copied = 0
    while let part = try handle.read(upToCount: 1 << 20), !part.isEmpty {
      try new.write(contentsOf: part)
      copied += part.count
    }
    try checkName()
    try rename(next, to: url)
    try handle.close()
    handle = new
    identity = FileIdentity(of: new)
    size = lines.count + copied
    // States that take most of the file would otherwise be written again and again.
    full = max(limit, 4 * lines.count)
    self.half = nil
  }
}
