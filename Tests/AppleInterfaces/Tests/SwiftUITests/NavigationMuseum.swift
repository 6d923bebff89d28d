import Signalbox
import SignalboxUI
import SwiftUI

/// A museum for random programs of navigation: screens, a sheet, and dialogs of the museum and of each
/// screen.
struct Museum: Equatable {
  var path: [Place] = []
  /// A path that a hook sets.
  var order: [Place]?
  var memo: Memo?
  var alert: AlertState<MuseumAction>?
  var confirmation: ConfirmationState<MuseumAction>?
  var answers: [Int] = []
}

enum Place: Equatable {
  case hall(Hall)
  case room(Room)
  case cellar(of: Room)
  case garden

  var inside: (any Inside)? {
    get {
      switch self {
      case .hall(let hall): hall
      case .room(let room), .cellar(let room): room
      case .garden: nil
      }
    }
    set {
      switch self {
      case .hall: if let hall = newValue as? Hall { self = .hall(hall) }
      case .room: if let room = newValue as? Room { self = .room(room) }
      case .cellar: if let room = newValue as? Room { self = .cellar(of: room) }
      case .garden: break
      }
    }
  }

  /// The identity of the screen, as rule N2 says.
  func key(at index: Int) -> String {
    switch self {
    case .hall: "\(index) hall 0"
    case .room(let room): "\(index) room \(room.id)"
    case .cellar(let room): "\(index) cellar \(room.id)"
    case .garden: "\(index) garden"
    }
  }
}

/// The state of a screen with a feature.
protocol Inside: Equatable {
  var name: Int { get set }
  /// Set to the name by a hook.
  var seen: Int { get set }
  var alert: AlertState<InsideAction>? { get set }
  var answers: [Int] { get set }
}

struct Hall: Inside {
  var name = 0
  var seen = 0
  var alert: AlertState<InsideAction>?
  var answers: [Int] = []
}

struct Room: Inside, Identifiable {
  var id: Int
  var name = 0
  var seen = 0
  var alert: AlertState<InsideAction>?
  var answers: [Int] = []
}

struct Memo: Inside, Identifiable {
  var id: Int
  var name = 0
  var seen = 0
  var alert: AlertState<InsideAction>?
  var answers: [Int] = []
}

enum MuseumAction: Equatable {
  case ask(Int)
  case confirm(Int)
  case answer(Int)
  /// Sets one path after the other in one commit.
  case batch([[Place]])
}

enum InsideAction: Equatable {
  case rename(Int)
  case ask(Int, name: String)
  case answer(Int)
  /// Removes the last screen of the path, by a closure of the museum.
  case leave
  case push(Place)
  /// Runs until it is cancelled, and then writes.
  case wait(Int)
}

extension AlertState where Action: Equatable {
  /// An alert whose texts are those of every second one.
  ///
  /// - Parameter again: asks an even question again, and the even one before an odd one.
  static func numbered(
    _ number: Int, _ name: String, _ yes: Action, _ again: Action
  ) -> AlertState {
    AlertState(
      "\(name) \(number % 2)",
      buttons: [
        .init("\(name) yes", role: .destructive, action: yes),
        .init("\(name) again", action: again),
        .init("\(name) cancel", role: .cancel),
      ])
  }
}

extension ConfirmationState<MuseumAction> {
  static func numbered(_ number: Int) -> ConfirmationState {
    ConfirmationState(
      "confirm", message: "\(number)", buttons: [.init("sure", action: .answer(number))])
  }
}

/// Which children have begun and ended, and whose work has been cancelled.
@MainActor final class MuseumJournal {
  var begun: [String] = []
  var ended: [String] = []
  var cancelled: Set<Int> = []
  private var running = 0
  private var whenIdle: (() -> Void)?

  func beginWork() { running += 1 }

  func endWork() {
    running -= 1
    if running == 0 { whenIdle?() }
  }

  /// Waits until all work has returned, after what it writes late.
  func idle() async {
    if running == 0 { return }
    await withCheckedContinuation { continuation in whenIdle = { continuation.resume() } }
    whenIdle = nil
  }
}

enum MuseumHook: CaseIterable { case order }
enum InsideHook: CaseIterable { case life }

struct MuseumFeature: Interactor {
  let journal: MuseumJournal

  func children(of store: MutatingStore<Museum, MuseumAction>) -> Children<Museum> {
    Child(\.memo) { InsideFeature<Memo>(label: "memo", journal: journal) }
    Each(\.path) {
      Case(Place.hall) {
        InsideFeature<Hall>(label: "hall", journal: journal, path: path(of: store))
      }
      Case(Place.room) {
        InsideFeature<Room>(label: "room", journal: journal, path: path(of: store))
      }
      Case(Place.cellar) {
        InsideFeature<Room>(label: "cellar", journal: journal, path: path(of: store))
      }
    }
  }

  private func path(
    of store: MutatingStore<Museum, MuseumAction>
  ) -> @MainActor ((inout [Place]) -> Void) -> Void {
    { change in store.update { change(&$0.path) } }
  }

  func onAction(_ action: MuseumAction, store: MutatingStore<Museum, MuseumAction>) {
    switch action {
    case .ask(let number):
      store.alert = .numbered(number, "ask", .answer(number), .ask(number - number % 2))
    case .confirm(let number):
      store.confirmation = .numbered(number)
    case .answer(let number): store.answers.append(number)
    case .batch(let paths): store.batch { for path in paths { store.path = path } }
    }
  }

  func subscription(
    for hook: MuseumHook, store: MutatingStore<Museum, MuseumAction>
  ) -> Signalbox.Subscription {
    switch hook {
    case .order: store.publisher.order.compactMap(\.self).assign(to: \.path, using: store)
    }
  }
}

struct InsideFeature<State: Inside>: Interactor {
  let label: String
  let journal: MuseumJournal
  var path: @MainActor ((inout [Place]) -> Void) -> Void = { _ in }

  func onAction(_ action: InsideAction, store: MutatingStore<State, InsideAction>) async {
    switch action {
    case .rename(let name): store.name = name
    case .ask(let number, let name):
      store.alert = .numbered(number, name, .answer(number), .ask(number - number % 2, name: name))
    case .answer(let number): store.answers.append(number)
    case .leave: path { _ = $0.popLast() }
    case .push(let place): path { $0.append(place) }
    case .wait(let work):
      journal.beginWork()
      await withTaskCancellationHandler {
        let (stream, end) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
        end.finish()
      } onCancel: {
        // Cancelled by the store, which is on the main actor.
        MainActor.assumeIsolated { _ = journal.cancelled.insert(work) }
      }
      store.name = -1
      journal.endWork()
    }
  }

  func subscription(
    for hook: InsideHook, store: MutatingStore<State, InsideAction>
  ) -> Signalbox.Subscription {
    let label = "\(label) \((store.state as? any Identifiable)?.id ?? 0)"
    journal.begun.append(label)
    return .all(
      store.publisher.name.assign(to: \.seen, using: store),
      Subscription { [journal] in journal.ended.append(label) })
  }
}

/// Shows the museum.
struct MuseumView: View {
  @StateStore var store: Store<Museum, MuseumAction>

  var body: some View {
    NavigationStack(path: $store.path) {
      Text("root")
    } destination: { index, place in
      switch place {
      case .hall: store.child(\.path, at: index, InsideFeature<Hall>.self).map(InsideView.init)
      case .room, .cellar:
        store.child(\.path, at: index, InsideFeature<Room>.self).map(InsideView.init)
      case .garden: Text("garden")
      }
    }
    .sheet(item: $store.child(\.memo, InsideFeature<Memo>.self)) { InsideView(inside: $0.store) }
    .alert($store.alert)
    .confirmationDialog($store.confirmation)
  }
}

private struct InsideView<State: Inside>: View {
  let inside: Store<State, InsideAction>

  var body: some View { Text("\(inside.name)").alert(inside, \.alert) }
}
