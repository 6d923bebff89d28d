import Signalbox
import SignalboxSources
import SignalboxStorage
import SignalboxTesting
import Testing

@testable import Chat

/// Loses the connection to the room at every moment.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct ReconnectingChatTests {
  private typealias Event = RoomConnection.Event

  /// The connection of the example over one that the exploration loses.
  private func connection(
    over line: TestConnection<Event>, _ world: Exploration
  ) -> (RoomConnection, health: Signal<ConnectionHealth>) {
    let visits = Reconnecting(clock: world.clock, seed: 1) { try await line() }
    let entry = RoomEntry(name: "ada", address: .standard, options: .init())
    return (RoomConnection(entry, visits: visits), visits.health)
  }

  @Test func `each message is shown once, and after a reconnect those that follow`() async {
    let report = await explore(faults: 2) { world in
      let line = world.connection("room") { visit -> [Event] in
        [.joined(others: ["bea"])]
          + ["a", "b"].map { .heard(name: "bea", text: "\(visit)\($0)") }
      }
      let (connection, health) = connection(over: line, world)
      var isUp = false
      let following = health.sink { isUp = $0 == .up }
      defer { following.cancel() }
      let store = TestStore(
        state: ChatState(), interactor: ChatInteractor(service: ChatService(connection)))
      var shown: [String] { store.transcript.latest.map(\.text) }
      var left: ChatState?
      world.may("the user leaves") {
        connection.close()
        left = store.state
      }
      world.always("each message is there once, in the order of the room") {
        shown == shown.sorted() && Set(shown).count == shown.count
      }
      world.always("a connection that is lost is not shown as one") {
        if case .joined = store.connection { isUp || left != nil } else { true }
      }
      world.always("only the first attempt shows that it connects") {
        store.connection != .connecting || shown.isEmpty
      }
      world.always("what comes after the user has left changes nothing") {
        left == nil || store.state == left
      }
      world.finally("the user is in the room and has what it has said, or knows why not") {
        switch store.connection {
        case .joined: left != nil || shown.suffix(2).map(\.last) == ["a", "b"]
        case .failed: shown.isEmpty
        default: left != nil
        }
      }
      store.send(.start)
      await world.run()
      world.outcome("\(store.connection)")
    }
    #expect(report.isExhaustive)
  }

  @Test func `what is sent is in the draft or in the room, whenever the connection breaks`() async {
    let report = await explore(faults: 1) { world in
      let line = world.connection("room") { _ -> [Event] in [.joined(others: [])] }
      let (connection, _) = connection(over: line, world)
      var accepted: [String] = []
      var typed = "one"
      weak var joined: TestStore<ChatState, ChatAction>?
      let say = world.endpoint("say") { (text: String) in
        guard case .joined = joined?.connection else { throw RoomError.notJoined }
        accepted.append(text)
        line.send(.said(text: text))
      }
      var service = ChatService(connection)
      service.send = { try await say($0) }
      let store = TestStore(state: ChatState(), interactor: ChatInteractor(service: service))
      joined = store
      world.finally("nothing is lost or sent twice") {
        accepted.joined() + store.draft == typed
      }
      world.always("what is shown was accepted, and is there once") {
        let shown = store.transcript.latest.map(\.text)
        return shown == accepted.filter(shown.contains)
      }
      store.send(.start)
      store.draft = typed
      world.may("send and type on") {
        store.send(.send)
        typed += " two"
        store.draft += " two"
      }
      await world.run()
      world.outcome(store.transcript.latest.map(\.text))
    }
    #expect(report.isExhaustive)
  }
}
