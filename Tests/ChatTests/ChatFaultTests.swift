import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

@testable import Chat

/// Types and sends while the disk, the room and the process fail at every step.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct ChatFaultTests {
  /// A user who types words in one process after another, and the room that accepts them.
  @MainActor
  private final class User {
    private let disk: any Storage
    private let world: Exploration
    private var room: TestEndpoint<String, Void>?
    private(set) var store: TestStore<ChatState, ChatAction>?
    private(set) var typed: [String] = []
    /// The words that were there when the status called the draft saved.
    private var acknowledged: [String] = []
    private(set) var accepted = ""

    init(_ world: Exploration) {
      disk = world.storage("drafts")
      self.world = world
      room = world.endpoint("room", failing: RoomError.notJoined) { [weak self] (text: String) in
        self?.accepted += text
      }
    }

    var draft: String { store?.draft ?? "" }

    var drafts: SavedState<ChatState> { .draft(of: "ada", in: .standard, disk) }

    /// Starts the chat as the program does, with the draft that the disk has.
    @discardableResult
    func start() -> Restored {
      let (drafts, room) = (drafts, room)
      let service = ChatService(
        join: {}, send: { try await room?($0) }, connection: .never, received: .never,
        notices: .never)
      var state = ChatState()
      let restored = drafts.restore(into: &state)
      store = TestStore(
        state: state,
        interactor: ChatInteractor(
          service: service, drafts: drafts, restored: restored, clock: world.clock))
      return restored
    }

    func type(_ word: String) {
      typed.append(word)
      store?.draft += word
    }

    /// The draft on the disk, as another process would restore it.
    var saved: String {
      let name = "ada@\(Address.standard)"
      let copy = MemoryStorage()
      copy[name] = (try? disk.read(name)).flatMap(\.self)
      var state = ChatState()
      SavedState.draft(of: "ada", in: .standard, copy).restore(into: &state)
      return state.draft
    }

    /// Notes that the words that are there are saved.
    func acknowledge() { acknowledged = typed.filter(has) }

    /// Whether all words are there that were saved.
    var hasAllThatWasSaved: Bool { acknowledged.allSatisfy(has) }

    private func has(_ word: String) -> Bool { draft.contains(word) || accepted.contains(word) }

    /// States what the user may rely on in each process.
    func rely() {
      world.always("a draft that is called saved is on the disk") { [self] in
        guard store?.saving == .saved else { return true }
        acknowledge()
        return saved == draft
      }
      world.finally("the draft is saved, whatever has failed before") { [self] in
        store?.saving == .saved && typed.last.map { acknowledged.contains($0) } == true
      }
    }
  }

  @Test func `what was typed is in the draft or in the room, whatever fails or crashes`() async {
    let report = await explore(faults: 1) { world in
      let user = User(world)
      user.start()
      user.rely()
      var hasCrashed = true
      // A crash after the answer brings back a draft that the room has.
      world.finally("without a crash, each word is in one of the two") {
        hasCrashed = false
        return user.accepted + user.draft == user.typed.joined()
      }
      user.type("one ")
      try await user.drafts.flush()
      user.acknowledge()
      user.store?.send(.send)
      user.type("two ")
      await world.run()
      guard hasCrashed else { return }

      user.start()
      world.always("no word that was called saved is lost") { user.hasAllThatWasSaved }
      user.rely()
      user.type("three ")
      await world.run()
    }
    #expect(report.isExhaustive)
  }

  @Test func `a draft that cannot be read stays on the disk, and a notice says so`() async {
    let report = await explore { world in
      let user = User(world)
      user.start()
      user.type("old ")
      try await user.drafts.flush()
      user.store?.deactivateHooks()
      world.always("the draft is on the disk") { user.saved == "old " }
      world.may("the next process starts") {
        let isRestored = user.start() == .restored
        user.store?.send(.start)
        world.outcome(isRestored)
        world.finally("the draft is there, or the user knows why not") {
          isRestored ? user.draft == "old " : user.store?.notice != nil
        }
      }
      await world.run()
    }
    #expect(report.isExhaustive)
  }
}
