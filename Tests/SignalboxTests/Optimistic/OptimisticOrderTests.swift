import Signalbox
import SignalboxTesting
import Synchronization
import Testing

/// Four changes that may fail, and a list that is reloaded meanwhile, in every order.
@Suite(.timeLimit(.minutes(60))) @MainActor struct OptimisticOrderTests {
  private struct Message: Equatable, Identifiable, Sendable {
    let id: Int
    var isStarred = false
  }

  private struct Mailbox: Equatable {
    var messages = (1...4).map { Message(id: $0) }
  }

  private enum Request: Equatable {
    case star(Int)
    case reload
  }

  /// A server that knows which messages are starred.
  private final class Server: Sendable {
    private let starred = Mutex<Set<Int>>([])

    func star(_ id: Int) -> Message {
      starred.withLock { _ = $0.insert(id) }
      return Message(id: id, isStarred: true)
    }

    /// The messages, the newest first, as no client has sorted them.
    func messages() -> [Message] {
      starred.withLock { starred in
        (1...4).reversed().map { Message(id: $0, isStarred: starred.contains($0)) }
      }
    }
  }

  @Test("O2 O3 O4 law: all orders end in the truth, and no star that is pending goes out")
  func starsAndReload() async {
    let report = await explore { world in
      let server = Server()
      let star = world.endpoint("star", failing: Refusal()) { (id: Int) in server.star(id) }
      let load = world.endpoint("load") { (_: Int) in server.messages() }
      var pending: Set<Int> = []
      let store = TestStore<Mailbox, Request>(
        state: Mailbox(),
        actionable: HandlingErrors(
          handle: { request, store in
            guard case .star(let id) = request else {
              store.messages = try await load(0)
              return
            }
            func change(_ body: (inout Message) -> Void, _ mailbox: inout Mailbox) {
              guard let index = mailbox.messages.firstIndex(where: { $0.id == id }) else { return }
              body(&mailbox.messages[index])
            }
            pending.insert(id)
            defer { pending.remove(id) }
            let shown = store.optimistic { change({ $0.isStarred = true }, &$0) }
            let answer = try await star(id)
            shown.confirm { change({ $0 = answer }, &$0) }
          }, recover: { _, _, _ in }))
      // What each star has looked like in the commits, without repetitions.
      var looks: [Int: [Bool]] = [:]
      let subscription = store.publisher.messages.sink { messages in
        for message in messages where looks[message.id]?.last != message.isStarred {
          looks[message.id, default: []].append(message.isStarred)
        }
      }
      world.always("a star that is pending is lit") {
        pending.allSatisfy { id in
          store.messages.contains { $0.id == id && $0.isStarred }
        }
      }
      world.always("no star comes back") {
        looks.values.allSatisfy { $0.count { $0 } <= 1 }
      }
      world.finally("the truth is left") {
        store.messages.sorted { $0.id > $1.id } == server.messages()
      }
      for id in 1...4 { store.send(.star(id)) }
      store.send(.reload)
      await world.run()
      subscription.cancel()
    }
    #expect(report.orders == 1_920)
    #expect(report.isExhaustive)
  }
}
