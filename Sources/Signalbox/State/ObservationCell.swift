import Observation

/// One property as the Observation framework sees it (M5).
///
/// It is not generic, as a key path literal in generic code is built anew each time. Trackers are
/// told once and read again, so a cell watches from a read to the next change only, and a property
/// that nobody reads costs nothing. They are told before the writer goes on, even if that is during
/// a delivery: a transaction, such as that of `withAnimation`, lasts no longer.
final class ObservationCell: Watcher, Observable {
  /// How deep trackers that write are told inside of one another.
  private static let depthLimit = 20
  private static var depth = 0

  private let registrar = ObservationRegistrar()
  private var isArmed = false
  private var isTelling = false
  private let value: Void = ()

  /// Whether trackers can be told at once.
  static var canTell: Bool { depth < depthLimit }

  func access(_ makePart: () -> ObservedPart) {
    registrar.access(self, keyPath: \.value)
    if isArmed {
      // In a batch it has read a value that the end of the batch may not leave as it is.
      if let part = parts.first as? ObservedPart { part.storage.batch?.add(self, of: part) }
      return
    }
    isArmed = true
    watch(makePart())
    start()
  }

  override var isTracker: Bool { true }

  override func receiveFinish() { stop() }

  override func receiveCommit() {
    // The framework tells a tracker again while it is being told.
    guard isArmed, !isTelling else { return }
    isArmed = false
    stop()
    isTelling = true
    Self.depth += 1
    registrar.willSet(self, keyPath: \.value)
    registrar.didSet(self, keyPath: \.value)
    Self.depth -= 1
    isTelling = false
  }
}
