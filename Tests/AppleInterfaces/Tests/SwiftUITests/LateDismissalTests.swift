import Signalbox
import SwiftUI
import Testing

@testable import SignalboxUI

/// Dismissals by a user who has seen something else than what is there.
@MainActor struct LateDismissalTests {
  private let store: Store<Museum, MuseumAction>
  private let host: Host

  init() {
    let store = Store(state: Museum(), interactor: MuseumFeature(journal: MuseumJournal()))
    self.store = store
    host = Host(MuseumView(store: store))
  }

  private func gesture(_ name: String) throws -> @MainActor () -> Void {
    host.update()
    return try #require(host.gestures.first { $0.name == name }).perform
  }

  @Test("N4 a late dismissal does not remove a dialog with the same texts and other actions")
  func sameTexts() throws {
    store.dispatch(.ask(1))
    let (cancel, yes) = (try gesture("tap ask cancel"), try gesture("tap ask yes"))
    store.dispatch(.ask(3))
    cancel()
    #expect(store.alert?.buttons.first?.action == .answer(3))
    yes()
    #expect(store.alert?.buttons.first?.action == .answer(3))
    #expect(store.answers == [1])
  }

  @Test("N4 the action of a button may ask the same question again")
  func again() throws {
    store.dispatch(.ask(2))
    try gesture("tap ask again")()
    #expect(store.alert?.buttons.first?.action == .answer(2))
  }

  @Test("N4 the dialogs of actions that cannot be compared are told apart by their texts")
  func incomparable() throws {
    let (first, second) = (AlertState<() -> Void>("first"), AlertState<() -> Void>("second"))
    let store = Store(state: Quiz(alert: first), interactor: QuizFeature())
    let host = Host(QuizView(store: store))
    let dismiss = try #require(host.gestures.first).perform
    store.binder.alert.wrappedValue = second
    dismiss()
    #expect(store.alert?.title == "second")
    store.binder.alert.wrappedValue = first
    dismiss()
    #expect(store.alert == nil)
  }

  @Test("N4 only the event of a button changes the state of a transducer")
  func transducer() throws {
    let store = Store(state: Barrier.State(), transducer: Barrier.self)
    let host = Host(BarrierView(store: store))
    let dismiss = try #require(host.gestures.first { $0.name == "dismiss Open?" }).perform
    dismiss()
    #expect(store.alert?.title == "Open?")
    #expect(host.tap("Open"))
    #expect(store.alert == nil)
    #expect(store.isOpen)
  }

  @Test("N4 what a stack writes changes the path only if it is the beginning of what was shown")
  func writtenPath() {
    func links(_ path: [Place]) -> [ScreenLink] { ScreenLink.links(of: path) }
    let path: [Place] = [.garden, .room(Room(id: 1)), .garden]
    store.binder.path.wrappedValue = path
    let shown = ScreenLink.links(of: Binding(store.binder.path))
    for wrong in [path, path + path, [.room(Room(id: 1))]] {
      shown.wrappedValue = links(wrong)
      #expect(store.path == path)
    }
    host.update()
    shown.animation(.bouncy).wrappedValue = links([.garden])
    #expect(host.update().contains(.bouncy))
    #expect(store.path == [.garden])
    #expect(shown.wrappedValue == links([.garden]))
  }

  @Test("N4 a late dismissal of a sheet does not end the next child")
  func sheet() throws {
    store.binder.memo.wrappedValue = Memo(id: 1)
    let dismiss = try gesture("dismiss sheet")
    store.binder.memo.wrappedValue = Memo(id: 2)
    dismiss()
    #expect(store.memo?.id == 2)
    store.binder.memo.wrappedValue = nil
    store.binder.memo.wrappedValue = Memo(id: 1)
    dismiss()
    #expect(store.memo?.id == 1)
    try gesture("dismiss sheet")()
    #expect(store.memo == nil)
  }

  @Test("N2 N4 the id of a payload with a label belongs to what is shown")
  func label() throws {
    store.binder.path.wrappedValue = [.cellar(of: Room(id: 1, name: 10))]
    let back = try gesture("go back")
    store.binder.path.wrappedValue = [.cellar(of: Room(id: 2, name: 20, seen: 20))]
    back()
    #expect(store.path == [.cellar(of: Room(id: 2, name: 20, seen: 20))])
    host.update()
    #expect(host.texts == ["root", "20"])
    #expect(host.leavingTexts == ["10"])
  }
}

private enum Barrier: Transducer {
  struct State: Equatable {
    var isOpen = false
    var alert: AlertState<Event>? = AlertState("Open?", buttons: [.init("Open", action: .open)])
  }

  enum Event { case open }

  static func update(_ state: inout State, event: Event) -> Effect? {
    state = State(isOpen: true, alert: nil)
    return nil
  }
}

private struct BarrierView: View {
  let store: Store<Barrier.State, Barrier.Event>
  var body: some View { Text("").alert(store, \.alert) }
}

private struct Quiz { var alert: AlertState<() -> Void>? }

private struct QuizFeature: Interactor {
  func onAction(_ action: @escaping () -> Void, store: MutatingStore<Quiz, () -> Void>) {}
}

private struct QuizView: View {
  @StateStore var store: Store<Quiz, () -> Void>
  var body: some View { Text("").alert($store.alert) }
}
