import Foundation
import Signalbox
import SignalboxSources
import SignalboxTrace

/// Prints a recording as it grows.
///
/// The file may be missing at first, and be replaced by its newer half or by another recording.
@MainActor final class Follower {
  private let url: URL
  private var tree: GrowingTree
  private var output = Output()
  private var reader = TraceReader()
  private var handle: FileHandle?
  private var file: FileIdentity?
  private var offset: UInt64 = 0
  /// The events that were printed, of a file that was replaced.
  private var seen = SeenEvents()

  init(_ url: URL, _ selection: Selection) {
    self.url = url
    tree = GrowingTree(selection)
  }

  func run() async throws {
    // One change waits at most, because all there is to read is read for it.
    let changes = Signal.changes(ofFile: url).holding(newest: 1)
    try readOn()
    if handle == nil { complain("Waiting for \(url.lastPathComponent).") }
    for await _ in changes { try readOn() }
  }

  private func readOn() throws {
    try readRest()
    let now = FileIdentity(at: url)
    if let now, now != file || now.size < offset {
      // What the old file got between the two looks is read before it is let go.
      try readRest()
      try open(now)
      try readRest()
    }
    try output.flush()
  }

  private func open(_ identity: FileIdentity) throws {
    guard identity.isRegular else {
      throw Misuse("\(url.lastPathComponent) is not a regular file. Leave out --follow.")
    }
    guard let new = try? FileHandle(forReadingFrom: url) else {
      // A file that has just been replaced may be gone again. The next change tells of another.
      if FileIdentity(at: url) == nil { return }
      throw Misuse("\(url.lastPathComponent) may not be read.")
    }
    try? handle?.close()
    handle = new
    file = identity
    offset = 0
    seen.begin(after: reader.header)
    reader = TraceReader()
  }

  private func readRest() throws {
    guard let handle else { return }
    while let bytes = try handle.read(upToCount: 1 << 20), !bytes.isEmpty {
      offset += UInt64(bytes.count)
      let events = try reader.read(bytes)
      if let header = reader.header, seen.isOfAnother(header) {
        try output.print("-- a new recording of \(header.program.withoutControls)")
        tree.forget()
      }
      for event in events where seen.isNew(event) {
        for line in tree.add(event, stores: reader.stores) { try output.print(line) }
      }
    }
  }
}

/// What was printed of a recording whose file is replaced by its newer half.
private struct SeenEvents {
  private var latest: [Int: Int] = [:]
  private var latestTime = -1.0
  private var header: TraceHeader?
  /// Whether the lines that are read may have been printed.
  private var isCatchingUp = false

  mutating func begin(after header: TraceHeader?) {
    self.header = header
    isCatchingUp = header != nil
  }

  /// Whether the file is the recording of another run, which is then followed.
  mutating func isOfAnother(_ header: TraceHeader) -> Bool {
    guard isCatchingUp, let old = self.header, old != header else { return false }
    self = SeenEvents()
    return true
  }

  mutating func isNew(_ event: TraceEvent) -> Bool {
    if isCatchingUp {
      let isOld = event.key.map { $0.id <= latest[$0.store] ?? -1 } ?? (event.time <= latestTime)
      if isOld || !event.isShown { return false }
      isCatchingUp = false
    }
    if let key = event.key { latest[key.store] = key.id }
    latestTime = event.time
    return true
  }
}
