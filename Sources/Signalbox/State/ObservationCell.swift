import Observation

/// A property that the Observation framework can track (M5).
// Not generic, because a key path literal in generic code is built anew each time. Trackers are
// notified once and then read again, so a cell watches only from a read to the next change. They
// are notified before the writer continues, even during a delivery. If they waited, a transaction
// such as that of `withAnimation` might be over.
final class ObservationCell: Watcher, Observable {
  /// How deeply notifications of trackers that write may be nested.
  private static let depthLimit = 20
  private static var depth = 0

  private let registrar = ObservationRegistrar()
  private var isArmed = false
  private var isTelling = false
  private let value: Void = ()

  static var canTell: Bool { depth < depthLimit }

  func access(_ makePart: () -> ObservedPart) {
    registrar.access(self, keyPath: \.value)
    if isArmed {
      // In a batch, the tracker has read a value that may change again before the end of the batch.
      if let part = parts.first as? ObservedPart {
        part.storage.transaction.batch?.add(self, of: part)
      }
      return
    }
    isArmed = true
    watch(makePart())
    start()
  }

  var mayBeTracked: Bool { hashes || !Self.hashesTracked }

  /// Whether the framework hashes the key path of the current read, as it does if it tracks the read.
  private var hashes: Bool {
    let probe = HashProbe()
    registrar.access(self, keyPath: \.[probe])
    return probe.wasHashed
  }

  private static let hashesTracked =
    withObservationTracking({ ObservationCell().hashes }, onChange: {})

  private nonisolated subscript(probe: HashProbe) -> Void { () }

  override var isTracker: Bool { true }

  override func receiveFinish() { stop() }

  override func receiveCommit() {
    // The framework notifies a tracker again while the tracker is being notified.
    guard isArmed, !isTelling else { return }
    isArmed = false
    stop()
    isTelling = true
    Self.depth += 1
    TaskOrigin.withoutCaller {
      Propagation.withoutOwner {
        registrar.willSet(self, keyPath: \.value)
        registrar.didSet(self, keyPath: \.value)
      }
    }
    Self.depth -= 1
    isTelling = false
  }
}

/// An index that notes that a key path with it was hashed.
private final class HashProbe: Hashable {
  var wasHashed = false

  func hash(into hasher: inout Hasher) { wasHashed = true }
  static func == (a: HashProbe, b: HashProbe) -> Bool { a === b }
}
