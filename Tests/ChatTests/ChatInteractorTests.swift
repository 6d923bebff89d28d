import Signalbox
import SignalboxTesting
import Testing

@testable import Chat

@MainActor
struct ChatInteractorTests {
  private let room = FakeRoom()

  private func store(_ state: ChatState = ChatState()) -> TestStore<ChatState, ChatAction> {
    TestStore(state: state, interactor: ChatInteractor(service: room.service))
  }

  /// A plain store, for what is asserted while an action is still running.
  private func runningStore(_ draft: String) -> Store<ChatState, ChatAction> {
    Store(state: ChatState(draft: draft), interactor: ChatInteractor(service: room.service))
  }

  // MARK: Starting

  @Test func `starting joins the room and brings the draft back`() async {
    room.storedDraft = .success("unsent")
    let store = store()
    await store.dispatch(.start)
    #expect(room.joinCount == 1)
    #expect(store.state == ChatState(draft: "unsent"))
  }

  @Test func `a draft that cannot be read gets a sentence, and the room is joined all the same`()
    async
  {
    room.storedDraft = .failure(.init(description: "No."))
    let store = store()
    await store.dispatch(.start)
    #expect(room.joinCount == 1)
    #expect(store.state == ChatState(notice: "No."))
  }

  // MARK: Sending

  @Test func `sending empties the draft once the room has accepted it`() async {
    let accepted = Emitter<Void>()
    room.accept = { _ in _ = await accepted.signal.first() }
    let store = runningStore("hello")
    let sending = store.send(.send)
    #expect(room.sent == ["hello"])
    #expect(store.draft == "hello")
    accepted.send()
    await sending.value
    #expect(store.state == ChatState())
  }

  @Test func `what is typed while a message is on its way stays`() async {
    let accepted = Emitter<Void>()
    room.accept = { _ in _ = await accepted.signal.first() }
    let store = runningStore("hello")
    let sending = store.send(.send)
    store.binder.draft.wrappedValue += " and more"
    accepted.send()
    await sending.value
    #expect(store.draft == " and more")
  }

  @Test func `a draft that was written anew while the message was on its way stays`() async {
    let accepted = Emitter<Void>()
    room.accept = { _ in _ = await accepted.signal.first() }
    let store = runningStore("hello")
    let sending = store.send(.send)
    store.binder.draft.wrappedValue = "goodbye"
    accepted.send()
    await sending.value
    #expect(store.draft == "goodbye")
  }

  @Test func `a message that is refused stays in the draft, with the reason`() async {
    room.accept = { _ in throw RoomError.notJoined }
    let store = store(ChatState(draft: "hello"))
    await store.dispatch(.send)
    #expect(store.draft == "hello")
    #expect(
      store.notice
        == "There is no connection to the room. Your message is still in the draft.")
  }

  @Test func `a new attempt takes the old notice away`() async {
    let store = store(ChatState(draft: "hello", notice: "There is no connection."))
    await store.dispatch(.send)
    #expect(store.state == ChatState())
  }

  @Test func `messages go one after the other`() async {
    let accepted = Emitter<Void>()
    room.accept = { _ in _ = await accepted.signal.first() }
    let store = runningStore("one")
    let first = store.send(.send)
    store.binder.draft.wrappedValue += "two"
    let second = store.send(.send)
    #expect(room.sent == ["one"])
    accepted.send()
    await first.value
    room.accept = { _ in }
    accepted.send()
    await second.value
    #expect(room.sent == ["one", "two"])
    #expect(store.draft.isEmpty)
  }

  @Test func `pressing Return twice sends once`() async {
    let accepted = Emitter<Void>()
    room.accept = { _ in _ = await accepted.signal.first() }
    let store = runningStore("once")
    let first = store.send(.send)
    let second = store.send(.send)
    accepted.send()
    await first.value
    await second.value
    #expect(room.sent == ["once"])
  }

  @Test(arguments: ["", "   "])
  func `nothing is not sent`(draft: String) async {
    let store = store(ChatState(draft: draft))
    await store.dispatch(.send)
    #expect(room.sent.isEmpty)
  }

  // MARK: Hooks

  @Test func `a received message joins the transcript`() async {
    let hello = ChatState.Message(author: .peer("bea"), text: "hello")
    let store = await TestStore.testHook(
      .messageReceived, trigger: room.received.send(hello), state: ChatState(),
      interactor: ChatInteractor(service: room.service))
    #expect(store.didTriggerHook)
    #expect(store.state == ChatState(transcript: Transcript([hello])))
  }

  @Test func `a message from the thread of a socket joins the transcript`() async {
    let hello = ChatState.Message(author: .peer("bea"), text: "hello")
    let received = room.received
    let store = await TestStore.testHook(
      .messageReceived, trigger: { Task.detached { received.post(hello) } }(), state: ChatState(),
      interactor: ChatInteractor(service: room.service), timeout: .seconds(30))
    #expect(store.state == ChatState(transcript: Transcript([hello])))
  }

  @Test func `the state follows the connection`() async {
    let store = await TestStore.testHook(
      .connectionChanged, trigger: room.connection.send(.lost(reason: "Gone.")),
      state: ChatState(), interactor: ChatInteractor(service: room.service))
    #expect(store.state == ChatState(connection: .lost(reason: "Gone.")))
  }

  @Test func `what the room has to say besides is a notice`() async {
    let store = await TestStore.testHook(
      .noticeReceived, trigger: room.notices.send("Too long."), state: ChatState(),
      interactor: ChatInteractor(service: room.service))
    #expect(store.state == ChatState(notice: "Too long."))
  }

  // MARK: The draft

  @Test func `the draft is saved once, when the typing pauses`() async {
    let saved = Emitter<String>()
    room.willSave = { saved.send($0) }
    let store = store()
    let first = Task.immediate { await saved.signal.first() }
    for draft in ["h", "he", "hel", "hell", "hello"] { store.draft = draft }
    #expect(room.savedDrafts.isEmpty)
    #expect(await first.value == "hello")
    #expect(room.savedDrafts == ["hello"])
    #expect(store.firedHooks == ["draftChanged"])
    #expect(store.didTrigger(.saveDraft))
  }

  @Test func `the draft is saved at once when it is asked for`() async {
    let store = store()
    store.draft = "hel"
    await store.dispatch(.saveDraft)
    #expect(room.savedDrafts == ["hel"])
  }

  @Test func `a draft that cannot be saved gets one sentence, not one for each keystroke`() async {
    room.saveTrouble = .init(description: "The disk is full.")
    let store = store(ChatState(draft: "hello"))
    await store.dispatch(.saveDraft)
    await store.dispatch(.saveDraft)
    #expect(store.notice == "The disk is full.")
    #expect(store.stateUpdates.filter { $0.notice != nil }.count == 1)
  }

  // MARK: The transcript

  @Test func `the transcript forgets what is old, and counts it`() {
    let messages = (1...5_000).map { ChatState.Message(author: .me, text: "\($0)") }
    let transcript = Transcript(messages)
    #expect(transcript.count == 5_000)
    #expect(transcript.latest.count < 2 * Transcript.limit)
    #expect(transcript.messages(after: 4_998) == messages[4_998...])
    #expect(transcript.messages(after: 0).last?.text == "5000")
    #expect(transcript.messages(after: 5_000).isEmpty)
  }
}
