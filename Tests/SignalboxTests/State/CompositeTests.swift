import Testing

@testable import Signalbox

@MainActor struct CompositeTests {
  @Test("S7 a part counts as read with others only while a combineLatest observes it")
  func ended() throws {
    let store = Store(state: Desk(), actionable: Handling<Desk, Job> { _, _ in })
    let title = store.publisher.title.sink { _ in }
    let both = combineLatest(store.publisher.title, store.publisher.count).sink { _ in }
    let part = try #require(store.engine.storage.findPart(StatePath(\Desk.title)))
    #expect(part.hasComposites)
    both.cancel()
    #expect(!part.hasComposites)
    title.cancel()
  }
}
