import SignalboxTesting
import Testing

@testable import Signalbox

/// Children at properties that live as long as the parent but have no address in its state.
@MainActor struct ApartChildTests {
  struct RoomState: Equatable, Identifiable {
    var id = 0
    var volume = 1
    var loudness = 0
    var editor: StationEditorState?
    var inner = StationDepthState()
  }

  struct HallState: Equatable, Identifiable {
    var id = 0
    var title = ""
    var watched = RoomState() { didSet {} }
    @Redacted var hidden = RoomState()
    var base = RoomState()
    var computed: RoomState {
      get { base }
      set { base = newValue }
    }
  }

  struct BuildingState { var halls: [HallState] = [] }

  enum Way: CaseIterable {
    case watched, hidden, computed

    var keyPath: WritableKeyPath<HallState, RoomState> {
      switch self {
      case .watched: \.watched
      case .hidden: \.hidden
      case .computed: \.computed
      }
    }
  }

  struct Room: Interactor {
    let journal: StationJournal

    func children(of store: MutatingStore<RoomState, Never>) -> Children<RoomState> {
      Child(\.editor) { StationEditor(journal: journal) }
      Child(\.inner) { StationDepth() }
    }

    func onAction(_ action: Never, store: MutatingStore<RoomState, Never>) {}

    func subscription(for hook: OnlyHook, store: MutatingStore<RoomState, Never>) -> Subscription {
      store.publisher.volume.map { $0 * 10 }.assign(to: \.loudness, using: store)
    }
  }

  struct Hall: Interactor {
    let journal: StationJournal
    let way: Way

    func children(of store: MutatingStore<HallState, Never>) -> Children<HallState> {
      Child(way.keyPath) { Room(journal: journal) }
    }

    func onAction(_ action: Never, store: MutatingStore<HallState, Never>) {}
  }

  struct Building: Interactor {
    let journal: StationJournal
    let way: Way

    func children(of store: MutatingStore<BuildingState, Never>) -> Children<BuildingState> {
      Each(\.halls) { _ in Hall(journal: journal, way: way) }
    }

    func onAction(_ action: Never, store: MutatingStore<BuildingState, Never>) {}
  }

  private let journal = StationJournal()

  private func hall(_ way: Way) -> Store<HallState, Never> {
    Store(state: HallState(), interactor: Hall(journal: journal, way: way))
  }

  @Test(
    "C1 C2 A child behind a setter or an observer hears what its parent writes",
    arguments: Way.allCases)
  func heard(way: Way) {
    let store = hall(way)
    let parent = store.instruments.arranging
    let room = store.child(way.keyPath, Room.self)
    let inner = room.child(\.inner, StationDepth.self)
    var seen: [String] = []
    let subscriptions = [
      room.publisher.volume.sink { seen.append("volume \($0)") },
      room.publisher.sink { seen.append("room \($0.volume) \($0.loudness)") },
      inner.publisher.depth.sink { seen.append("depth \($0)") },
    ]
    parent.state[keyPath: way.keyPath].volume = 3
    #expect(store.state[keyPath: way.keyPath].loudness == 30)
    #expect(seen == ["volume 3", "room 3 0", "room 3 30"])
    seen = []
    parent.state[keyPath: way.keyPath].inner.depth = 4
    parent.title = "new"
    parent.update { $0[keyPath: way.keyPath].volume = 3 }
    #expect(seen == ["room 3 30", "depth 4"])
    seen = []
    parent.batch {
      parent.state[keyPath: way.keyPath].volume = 5
      parent.state[keyPath: way.keyPath].inner.depth = 6
      parent.state[keyPath: way.keyPath].inner.depth = 4
    }
    #expect(seen == ["volume 5", "room 5 30", "room 5 50"])
    seen = []
    room.binder.volume.wrappedValue = 6
    #expect(seen == ["volume 6", "room 6 50", "room 6 60"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test(
    "C4 C6 Children of such a child come and go when the parent writes", arguments: Way.allCases)
  func within(way: Way) throws {
    let store = hall(way)
    let parent = store.instruments.arranging
    parent.state[keyPath: way.keyPath].editor = StationEditorState()
    #expect(journal.lines == ["editor begins"])
    let room = store.child(way.keyPath, Room.self)
    let editor = try #require(room.child(\.editor, StationEditor.self))
    parent.state[keyPath: way.keyPath].editor?.text = "abc"
    #expect(editor.length == 3)
    parent.state[keyPath: way.keyPath].editor = nil
    #expect(journal.lines == ["editor begins", "editor ends"])
    #expect(editor.text == "abc")
    editor.dispatch(.type("late"))
    #expect(editor.text == "abc")
    #expect(room.editor == nil)
    parent.batch { parent.state[keyPath: way.keyPath].editor = StationEditorState(text: "x") }
    #expect(journal.lines.last == "editor begins")
    #expect(room.child(\.editor, StationEditor.self)?.text == "x")
  }

  @Test(
    "C4 C6 Such a child of an element ends with it, and hears of it before", arguments: Way.allCases
  )
  func ofElement(way: Way) throws {
    let store = Store(
      state: BuildingState(halls: [HallState(id: 1), HallState(id: 2)]),
      interactor: Building(journal: journal, way: way))
    let parent = store.instruments.arranging
    let hall = try #require(store.child(\.halls, id: 2, Hall.self))
    let room = hall.child(way.keyPath, Room.self)
    parent.halls[1][keyPath: way.keyPath].editor = StationEditorState(text: "abc")
    let editor = try #require(room.child(\.editor, StationEditor.self))
    parent.halls[1][keyPath: way.keyPath].volume = 7
    #expect(room.loudness == 70)
    parent.halls.removeFirst()
    parent.halls[0][keyPath: way.keyPath].volume = 8
    #expect(room.loudness == 80)
    #expect(journal.lines == ["editor begins"])
    var finished = false
    let subscription = room.publisher.volume.sink(
      receiveCompletion: { finished = true }, receiveValue: { _ in })
    parent.halls = []
    #expect(finished)
    #expect(journal.lines == ["editor begins", "editor ends"])
    #expect(room.volume == 8)
    #expect(editor.text == "abc")
    withExtendedLifetime(subscription) {}
  }
}
