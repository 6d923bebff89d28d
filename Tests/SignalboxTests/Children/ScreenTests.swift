import RandomPrograms
import SignalboxTesting
import Testing

@testable import Signalbox

/// The screens of a path.
@MainActor final class ScreenTests {
  private let journal = ScreenJournal()
  private lazy var store = Store(
    state: MailState(), interactor: MailFeature(journal: journal))
  private lazy var parent = store.instruments.arranging

  private func mailbox(_ index: Int) -> Store<MailboxScreen, MailboxAction>? {
    store.child(\.path, at: index, MailboxFeature.self)
  }

  private func message(_ index: Int) -> Store<MessageScreen, String>? {
    store.child(\.path, at: index, MessageFeature.self)
  }

  @Test("N2 Each screen is a child of its own, also the same screen twice")
  func children() throws {
    parent.path = [.mailbox(MailboxScreen()), .mailbox(MailboxScreen()), .about]
    let (first, second) = (try #require(mailbox(0)), try #require(mailbox(1)))
    #expect(first !== second)
    #expect(mailbox(0) === first)
    second.dispatch(.rename("inbox"))
    #expect(
      store.path == [
        .mailbox(MailboxScreen()), .mailbox(MailboxScreen(title: "inbox", length: 5)), .about,
      ])
    #expect(mailbox(2) == nil)
    #expect(mailbox(3) == nil)
    #expect(mailbox(-1) == nil)
    #expect(message(0) == nil)
    #expect(journal.lines == ["mailbox begins", "mailbox begins"])
  }

  @Test("N2 The identity of a screen is its index, its case and the id of its payload")
  func identity() throws {
    parent.path = [.message(MessageScreen(id: 1)), .mailbox(MailboxScreen())]
    let (one, box) = (try #require(message(0)), try #require(mailbox(1)))
    parent.path[0] = .message(MessageScreen(id: 1, text: "again"))
    #expect(message(0) === one)
    #expect(one.text == "again")
    #expect(one.length == 5)
    parent.path[1] = .mailbox(MailboxScreen(title: "other"))
    #expect(mailbox(1) === box)
    parent.path[0] = .message(MessageScreen(id: 2))
    #expect(message(0) !== one)
    #expect(one.text == "again")
    parent.path[1] = .draft(MailboxScreen(title: "draft"))
    let draft = try #require(mailbox(1))
    #expect(draft !== box)
    #expect(draft.title == "draft")
    #expect(box.title == "other")
    #expect(
      journal.lines == [
        "mailbox begins", "message 1 begins", "message 1 ends", "message 2 begins",
        "mailbox ends", "draft begins",
      ])
  }

  @Test("N3 One assignment begins what is new, ends what is gone and keeps what is the same")
  func link() throws {
    parent.path = [.mailbox(MailboxScreen()), .message(MessageScreen(id: 1)), .about]
    let (box, one) = (try #require(mailbox(0)), try #require(message(1)))
    var paths: [Int] = []
    let subscription = store.publisher.path.sink { paths.append($0.count) }
    journal.lines = []
    parent.path = [
      .mailbox(MailboxScreen(title: "link")), .message(MessageScreen(id: 2)),
      .message(MessageScreen(id: 1, path: [.mailbox(MailboxScreen())])),
    ]
    #expect(paths.first == 3)
    #expect(mailbox(0) === box)
    #expect(box.length == 4)
    #expect(message(1) !== one)
    #expect(message(2) !== one)
    #expect(
      journal.lines == [
        "message 1 ends", "message 2 begins", "message 1 begins", "inner begins",
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test("N3 C6 A screen that is popped ends its work at once and keeps its last content")
  func pop() async throws {
    parent.path = [.mailbox(MailboxScreen(title: "first")), .draft(MailboxScreen(title: "last"))]
    let draft = try #require(mailbox(1))
    draft.send(.wait)
    await withCheckedContinuation { continuation in
      journal.onCancel = { continuation.resume() }
      parent.path.removeLast()
      #expect(journal.lines.last == "draft ends")
      #expect(draft.title == "last")
    }
    #expect(draft.title == "last")
    draft.send(.rename("gone"))
    #expect(draft.title == "last")
    #expect(store.path == [.mailbox(MailboxScreen(title: "first"))])
  }

  @Test("N3 A closure of a screen may pop it, and what the screen writes then is dropped")
  func popItself() throws {
    parent.path = [.mailbox(MailboxScreen(title: "a")), .draft(MailboxScreen(title: "b"))]
    mailbox(1)?.dispatch(.pop)
    #expect(store.path == [.mailbox(MailboxScreen(title: "a"))])
    mailbox(0)?.dispatch(.pop)
    #expect(store.path.isEmpty)
    #expect(journal.live == 0)
  }

  @Test("N2 C4 A screen that begins and goes in one batch ends, and the one before it stays")
  func begunInBatch() throws {
    parent.path = [.message(MessageScreen(id: 1, text: "one"))]
    let one = try #require(message(0))
    var two: Store<MessageScreen, String>?
    parent.batch {
      parent.path[0] = .message(MessageScreen(id: 2, text: "two"))
      two = message(0)
      parent.path[0] = .message(MessageScreen(id: 1, text: "again"))
    }
    #expect(message(0) === one && one.text == "again")
    #expect(two !== one && two?.text == "two")
    two?.dispatch("late")
    #expect(store.path.count == 1 && one.text == "again")
    #expect(journal.live == 1)
  }

  @Test("N2 M2 A write in a screen copies no array")
  func noCopy() throws {
    var numbers = Array(0..<1_000)
    numbers.reserveCapacity(2_000)
    parent.path = [.about, .mailbox(MailboxScreen(numbers: numbers))]
    numbers = []
    let box = try #require(mailbox(1))
    let subscription = box.publisher.numbers.map(\.count).sink { _ in }
    func address() -> UInt {
      guard case .mailbox(let state)? = parent.state.path.last else { return 0 }
      return unsafe state.numbers.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
    let before = address()
    box.dispatch(.append)
    box.dispatch(.append)
    #expect(address() == before)
    #expect(box.numbers.count == 1_002)
    withExtendedLifetime(subscription) {}
  }

  @Test("N2 C16 A screen is named by its index and its case")
  func place() throws {
    var places: [String] = []
    let subscription = store.events.sink {
      if case .child(let child) = $0.kind { places.append(child.path) }
    }
    parent.path = [.about, .message(MessageScreen(id: 4, path: [.mailbox(MailboxScreen())]))]
    message(1)?.dispatch("text")
    message(1)?.child(\.path, at: 0, MailboxFeature.self)?.dispatch(.append)
    #expect(Set(places) == [#"\.path[1].message"#, #"\.path[1].message.path[0].mailbox"#])
    withExtendedLifetime(subscription) {}
  }

  @Test("N1 N2 T12 A test store gives that of a screen, and a path is compared like any array")
  func testStore() async throws {
    let store = TestStore(
      state: MailState(path: [.mailbox(MailboxScreen())]),
      interactor: MailFeature(journal: journal))
    let box = try #require(store.child(\.path, at: 0, MailboxFeature.self))
    await box.dispatch(.rename("inbox")) {
      $0.title = "inbox"
      $0.length = 5
    }
    await box.dispatch(.pop)
    store.expect { $0.path = [] }
    #expect(store.child(\.path, at: 0, MailboxFeature.self) == nil)
  }

  @Test("N2 A screen that is not declared traps with the remedy")
  func undeclared() async {
    expectError(
      #"`Each(\.path) { Case(…) { GuestFeature() } }`"#,
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let store = Store(state: MailState(), interactor: MailFeature())
          _ = store.child(\.path, at: 0, GuestFeature.self)
        }
      })
  }
}
