import Signalbox
import Testing

private struct Lodger: Equatable, Identifiable {
  var id = 0
  var nights = 0
  var seen = 0
}

private struct Lodge: Equatable {
  var rooms = [Lodger(id: 1), Lodger(id: 2)]
  var guest: Lodger? = Lodger(id: 3)
}

private struct LodgerFeature: Interactor {
  enum Hook: CaseIterable { case nights }

  let onEnd: @MainActor (Int) -> Void

  func onAction(_ action: Never, store: MutatingStore<Lodger, Never>) {}

  func subscription(for hook: Hook, store: MutatingStore<Lodger, Never>) -> Subscription {
    let id = store.id
    return .all(
      store.publisher.nights.assign(to: \.seen, using: store),
      Subscription { MainActor.assumeIsolated { onEnd(id) } })
  }
}

private typealias LodgeStore = MutatingStore<Lodge, LodgeAction>
private struct LodgeAction { let body: @MainActor (LodgeStore) -> Void }

/// What it does in an action, and when a child ends, is up to the test.
private struct LodgeFeature: Interactor {
  let onEnd: @MainActor (Int, LodgeStore) -> Void

  func children(of store: LodgeStore) -> Children<Lodge> {
    Each(\.rooms) { _ in LodgerFeature { onEnd($0, store) } }
    Child(\.guest) { LodgerFeature { onEnd($0, store) } }
  }

  func onAction(_ action: LodgeAction, store: LodgeStore) { action.body(store) }
}

/// Children whose states come back while others end.
@MainActor struct ReturningChildTests {
  private static let twice = Derived<Lodger, Int>("twice") { $0.nights * 2 }

  @Test("C5 C18 C6 a state that comes back while another child ends is that of another child")
  func back() {
    var (ended, told): ([Int], [Int]) = ([], [])
    var handle: Store<Lodge, LodgeAction>?
    let store = Store(
      state: Lodge(),
      interactor: LodgeFeature { id, store in
        ended.append(id)
        if id == 1 {
          store.rooms = [Lodger(id: 2, nights: 7)]
          #expect(handle?.child(\.rooms, id: 2, LodgerFeature.self)?.nights == 7)
        }
        if id == 3 { store.guest = Lodger(id: 3, nights: 9) }
      })
    handle = store
    let old = store.child(\.rooms, id: 2, LodgerFeature.self)
    let oldGuest = store.child(\.guest, LodgerFeature.self)
    let subscription = old?.publisher.nights.sink { told.append($0) }
    #expect(old?[Self.twice] == 0)
    store.send(LodgeAction { store in store.update { $0 = Lodge(rooms: [], guest: nil) } })
    #expect(ended.sorted() == [1, 2, 3] && told == [])
    #expect(old?.nights == 0 && old?[Self.twice] == 0 && oldGuest?.nights == 0)
    let new = store.child(\.rooms, id: 2, LodgerFeature.self)
    #expect(new !== old && new?.nights == 7 && new?[Self.twice] == 14)
    #expect(store.child(\.guest, LodgerFeature.self)?.nights == 9)
    store.send(LodgeAction { store in store.rooms[0].nights = 8 })
    #expect(new?.seen == 8 && old?.seen == 0)
    handle = nil
    withExtendedLifetime(subscription) {}
  }

  @Test("V3 C6 what is computed from a child that ends is computed from its last value")
  func derived() {
    var seen: [[Int]] = []
    var handle: Store<Lodger, Never>?
    let store = Store(
      state: Lodge(rooms: []),
      interactor: LodgeFeature { _, _ in
        if let handle { seen.append([handle.nights, handle[Self.twice]]) }
      })
    handle = store.child(\.guest, LodgerFeature.self)
    #expect(handle?[Self.twice] == 0)
    store.send(
      LodgeAction { store in
        store.batch {
          store.guest?.nights = 9
          #expect(handle?[Self.twice] == 18)
          store.guest = nil
        }
      })
    #expect(seen == [[9, 18]])
    handle = nil
  }
}
