import Testing

@testable import Signalbox

/// Tests that the parts of a store are released with it.
@MainActor struct ModelTests {
  private struct Shelf {
    var count = 0
    var title: String { "\(count)" }
  }

  @Test("A9 a released store that was read and observed leaves neither state nor observers behind")
  func releasedWithItsStore() {
    weak var storage: AnyObject?
    var kept: Set<Subscription> = []
    do {
      let store = Store<Shelf, Never>(state: Shelf())
      storage = store.engine.storage
      _ = (store.count, store.title, store.state)
      store.publisher.count.sink { _ in }.store(in: &kept)
      combineLatest(store.publisher.count, store.publisher.title).sink { _ in }.store(in: &kept)
    }
    kept = []
    #expect(storage == nil)
  }
}
