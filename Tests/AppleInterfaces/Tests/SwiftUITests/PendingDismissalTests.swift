import Signalbox
import SignalboxUI
import SwiftUI
import Testing

/// Dismissals by a user while changes are pending.
@MainActor struct PendingDismissalTests {
  private let gate = Gate()
  private let store: Store<Post, PostAction>
  private let host: Host
  private let dropped = Dropped()
  private let subscription: Signalbox.Subscription

  init() {
    let store = Store(state: Post(), interactor: PostFeature(gate: gate))
    self.store = store
    host = Host(PostView(store: store))
    subscription = store.events.sink { [dropped] in
      if case .dropped = $0.kind { dropped.count += 1 }
    }
  }

  @Test("N4 O2 going back makes no pending change of another screen true")
  func back() async {
    store.binder.path.wrappedValue = [.letter(Letter(id: 1)), .help]
    host.update()
    store.child(\.path, at: 0, LetterFeature.self)?.send(.star)
    host.update()
    #expect(host.texts == ["root", "1 true", "help"])
    host.goBack()
    host.update()
    #expect(host.texts == ["root", "1 true"])
    gate.open()
    await store.settle()
    host.update()
    #expect(host.texts == ["root", "1 false"])
    #expect(store.path == [.letter(Letter(id: 1))])
    #expect(dropped.count == 0)
  }

  @Test("N4 O3 going back from a screen that only a pending change shows is dropped")
  func backFromShown() async {
    store.send(.push)
    host.update()
    host.goBack()
    #expect(dropped.count == 1)
    #expect(store.path == [.help])
    // The one below, which is in the truth, stays.
    store.binder.path.wrappedValue = [.letter(Letter(id: 1))]
    host.update()
    #expect(host.texts == ["root", "1 false", "help"])
    host.goBack()
    #expect(dropped.count == 2)
    gate.open()
    await store.settle()
    #expect(store.path == [.letter(Letter(id: 1)), .help])
  }

  @Test("N4 O3 dismissing a dialog or a sheet that only a pending change shows is dropped")
  func dialog() async throws {
    store.send(.ask)
    host.update()
    #expect(host.answer(nil))
    #expect(dropped.count == 1)
    store.send(.write)
    host.update()
    host.dismissSheet()
    #expect(dropped.count == 2)
    gate.open()
    await store.settle()
    #expect(store.alert?.title == "Sure?")
    #expect(store.draft == Letter(id: 3))
  }
}

private enum Screen: Equatable {
  case letter(Letter)
  case help
}

private struct Letter: Equatable, Identifiable {
  var id: Int
  var isStarred = false
}

private struct Post: Equatable {
  var path: [Screen] = []
  var alert: AlertState<PostAction>?
  var draft: Letter?
}

private enum PostAction: Equatable { case push, ask, write }

private enum LetterAction { case star }

@MainActor private final class Dropped { var count = 0 }

private struct Failure: Error {}

private struct LetterFeature: Interactor {
  let gate: Gate

  func onAction(
    _ action: LetterAction, store: MutatingStore<Letter, LetterAction>
  ) async throws {
    store.optimistic { $0.isStarred = true }
    await gate.pass()
    throw Failure()
  }

  func onError(
    _ error: any Error, action: LetterAction, store: MutatingStore<Letter, LetterAction>
  ) {}
}

private struct PostFeature: Interactor {
  let gate: Gate

  func children(of store: MutatingStore<Post, PostAction>) -> Children<Post> {
    Each(\.path) { Case(Screen.letter) { LetterFeature(gate: gate) } }
    Child(\.draft) { LetterFeature(gate: gate) }
  }

  func onAction(_ action: PostAction, store: MutatingStore<Post, PostAction>) async {
    switch action {
    case .push: store.optimistic { $0.path.append(.help) }
    case .ask: store.optimistic { $0.alert = AlertState("Sure?") }
    case .write: store.optimistic { $0.draft = Letter(id: 3) }
    }
    await gate.pass()
  }
}

private struct PostView: View {
  @StateStore var store: Store<Post, PostAction>

  var body: some View {
    NavigationStack(path: $store.path) {
      Text("root")
    } destination: { index, screen in
      switch screen {
      case .letter:
        store.child(\.path, at: index, LetterFeature.self).map { LetterView(letter: $0) }
      case .help: Text("help")
      }
    }
    .alert($store.alert)
    .sheet(item: $store.child(\.draft, LetterFeature.self)) { LetterView(letter: $0.store) }
  }
}

private struct LetterView: View {
  let letter: Store<Letter, LetterAction>

  var body: some View { Text("\(letter.id) \(letter.isStarred)") }
}
