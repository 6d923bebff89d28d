import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

@testable import Chat

@MainActor
struct ChatInteractorTests {
  private let room = FakeRoom()

  /// A store in which everything unexpected is a failure.
  private func store(draft: String = "", notice: String? = nil) -> TestStore<ChatState, ChatAction>
  {
    TestStore(
      state: ChatState(draft: draft, notice: notice), interactor: room.interactor, exhaustive: true)
  }

  // MARK: Starting

  @Test func `starting joins the room`() async {
    await store().dispatch(.start)
    #expect(room.joinCount == 1)
  }

  @Test func `an unreadable draft shows a message, and the room is joined`() async {
    room.restored = .setAside(as: "ada.json.damaged-1")
    await store().dispatch(.start) {
      $0.notice =
        "The stored values could not be decoded. They were kept under the name ada.json.damaged-1."
    }
    #expect(room.joinCount == 1)
  }

  // MARK: Sending

  @Test func `sending empties the draft once the room has accepted it`() async {
    room.delay = .seconds(1)
    let store = store(draft: "hello")
    store.send(.send)
    #expect(room.sent == ["hello"])
    store.expect { _ in }
    await room.clock.run()
    store.expect { $0.draft = "" }
    #expect(room.savedDraft == "")
    await store.finish()
  }

  @Test(arguments: [("hello and more", " and more"), ("goodbye", "goodbye")])
  func `text that is typed while a message is being sent stays`(typed: String, rest: String) async {
    room.delay = .seconds(1)
    let store = store(draft: "hello")
    store.send(.send)
    store.draft = typed
    await room.clock.run()
    store.expect { $0.draft = rest }
    await store.finish()
  }

  @Test func `a refused message stays in the draft, and the reason is shown`() async {
    room.refusal = RoomError.notJoined
    await store(draft: "hello").dispatch(.send) {
      $0.notice = "There is no connection to the room. Your message is still in the draft."
    }
  }

  @Test func `a new attempt removes the old notice`() async {
    let store = store(draft: "hello", notice: "There is no connection.")
    await store.dispatch(.send) { $0 = ChatState(saving: .pending) }
    await room.clock.run()
    store.expect { $0.saving = .saved }
    await store.finish()
  }

  @Test func `messages are sent one after the other`() async {
    room.delay = .seconds(1)
    let store = store(draft: "one")
    store.send(.send)
    store.draft += "two"
    store.send(.send)
    #expect(room.sent == ["one"])
    await room.clock.advance(by: .seconds(1))
    #expect(room.sent == ["one", "two"])
    await room.clock.run()
    store.expect { $0.draft = "" }
    await store.finish()
  }

  @Test func `pressing Return twice sends once`() async {
    room.delay = .seconds(1)
    let store = store(draft: "once")
    store.send(.send)
    store.send(.send)
    await room.clock.run()
    #expect(room.sent == ["once"])
    store.expect { $0.draft = "" }
    #expect(room.savedDraft == "")
    await store.finish()
  }

  @Test(arguments: ["", "   "])
  func `an empty draft is not sent`(draft: String) async {
    await store(draft: draft).dispatch(.send)
    #expect(room.sent.isEmpty)
  }

  // MARK: Hooks

  @Test func `a received message joins the transcript`() async {
    let hello = ChatState.Message(author: .peer("bea"), text: "hello")
    await store().hook(ChatHook.messageReceived) {
      room.received.send(hello)
    } expecting: {
      $0.transcript.append(hello)
    }
  }

  @Test func `a message from the thread of a socket joins the transcript`() async {
    let hello = ChatState.Message(author: .peer("bea"), text: "hello")
    let received = room.received
    let store = await TestStore.testHook(
      .messageReceived, trigger: { Task.detached { received.post(hello) } }(), state: ChatState(),
      interactor: room.interactor, timeout: .seconds(120))
    #expect(store.state == ChatState(transcript: Transcript([hello])))
  }

  @Test func `the state follows the connection`() async {
    await store().hook(ChatHook.connectionChanged) {
      room.connection.send(.lost(reason: "Gone."))
    } expecting: {
      $0.connection = .lost(reason: "Gone.")
    }
  }

  @Test func `other lines from the room are shown as a notice`() async {
    await store().hook(ChatHook.noticeReceived) {
      room.notices.send("Too long.")
    } expecting: {
      $0.notice = "Too long."
    }
  }

  // MARK: The draft

  @Test func `the draft is saved once when typing pauses`() async {
    let store = store()
    for draft in ["h", "he", "hel", "hell", "hello"] {
      store.draft = draft
      await room.clock.advance(by: .milliseconds(199))
    }
    #expect(room.storage.writes == 0)
    await room.clock.advance(by: .milliseconds(1))
    #expect(room.storage.writes == 1)
    #expect(room.savedDraft == "hello")
    store.expect { $0.draft = "hello" }
  }

  @Test func `a draft that cannot be saved shows one message, not one for each attempt`() async {
    room.storage.isFailing = true
    let store = store()
    store.draft = "hello"
    await room.clock.advance(by: .milliseconds(200))
    let reason = "Saving failed: The storage in memory was told to fail."
    store.expect {
      $0.draft = "hello"
      $0.saving = .failed(reason)
      $0.notice = reason
    }
    store.notice = nil
    await room.clock.advance(by: .seconds(10))
    store.expect { $0.notice = nil }
    room.storage.isFailing = false
    await room.clock.run()
    store.expect { $0.saving = .saved }
    #expect(room.savedDraft == "hello")
    await store.finish()
  }

  // MARK: The transcript

  @Test func `the transcript drops old messages and counts them`() {
    let messages = (1...5_000).map { ChatState.Message(author: .me, text: "\($0)") }
    let transcript = Transcript(messages)
    #expect(transcript.count == 5_000)
    #expect(transcript.latest.count < 2 * Transcript.limit)
    #expect(transcript.messages(after: 4_998) == messages[4_998...])
    #expect(transcript.messages(after: 0).last?.text == "5000")
    #expect(transcript.messages(after: 5_000).isEmpty)
  }
}
