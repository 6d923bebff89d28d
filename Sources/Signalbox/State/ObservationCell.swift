import Observation

/// One property as the Observation framework sees it (M5).
///
/// It is not generic, as a key path literal in generic code is built anew each time. Trackers are
/// told once and read again, so a cell watches from a read to the next change only, and a property
/// that nobody reads costs nothing. They are told before the writer goes on, even if that is during
/// a delivery: a transaction, such as that of `withAnimation`, lasts no longer.
final class ObservationCell: Watcher, Observable {
  private let registrar = ObservationRegistrar()
  private var isArmed = false
  private(set) static var isTelling = false
  private let value: Void = ()

  func access(_ part: () -> any Watchable) {
    registrar.access(self, keyPath: \.value)
    guard !isArmed else { return }
    isArmed = true
    watch(part())
    start()
  }

  override var isTracker: Bool { true }

  override func receiveFinish() { stop() }

  override func receiveCommit() {
    isArmed = false
    stop()
    let isNested = Self.isTelling
    Self.isTelling = true
    registrar.willSet(self, keyPath: \.value)
    registrar.didSet(self, keyPath: \.value)
    Self.isTelling = isNested
  }
}
