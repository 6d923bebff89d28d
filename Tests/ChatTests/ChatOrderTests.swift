import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

@testable import Chat

/// Sends two messages while the connection may be lost at every moment.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct ChatOrderTests {
  @Test func `nothing that was typed is lost or sent twice`() async {
    let report = await explore { world in
      let room = world.endpoint("room", failing: RoomError.notJoined) { (text: String) in }
      let connection = Emitter<ChatState.Connection>()
      var accepted = ""
      let storage = MemoryStorage()
      let service = ChatService(
        join: {},
        send: { text in
          try await room(text)
          accepted += text
        },
        connection: connection.signal, received: .never, notices: .never)
      let drafts = SavedState<ChatState>("draft", in: storage).property("draft", \.draft)
      let store = TestStore(
        state: ChatState(draft: "one"),
        interactor: ChatInteractor(service: service, drafts: drafts, clock: world.clock))
      world.may("the connection is lost") { connection.send(.lost(reason: "No.")) }
      world.finally("all is accepted or still in the draft") {
        accepted + store.draft == "one two"
      }
      world.finally("the draft is saved") {
        let stored = storage["draft"].map { String(decoding: $0, as: UTF8.self) } ?? ""
        return store.saving == .saved && stored.contains("\"\(store.draft)\"")
      }
      store.send(.send)
      store.draft += " two"
      store.send(.send)
      await world.run()
    }
    #expect(report.isExhaustive)
    #expect(report.orders == 78)
  }
}
