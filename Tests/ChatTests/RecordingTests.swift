import ExampleTesting
import Signalbox
import SignalboxStorage
import SignalboxTesting
import SignalboxTrace
import Testing

@testable import Chat

/// Makes a test of a recording of the chat, which is in `Generated` and runs with the others.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct RecordingTests {
  @Test("R7 a recording of the chat becomes a test that passes")
  func chat() async throws {
    let file = try RecordedFile(of: "recorded chat")
    let room = TestEndpoint<String, Void>("room")
    let saves = TestEndpoint<String, Void>("saves")
    let connection = Emitter<ChatState.Connection>()
    let received = Emitter<ChatState.Message>()
    let notices = Emitter<String>()
    let clock = TestClock()
    let drafts = SavedState<ChatState>("draft", in: Disk(saves: saves)).property("draft", \.draft)
    let service = ChatService(
      join: {}, send: { try await room($0) }, connection: connection.signal,
      received: received.signal, notices: notices.signal)
    let store = TestStore(
      state: ChatState(),
      interactor: ChatInteractor(service: service, drafts: drafts, clock: clock),
      name: "recorded chat")
    await store.dispatch(.start)
    connection.send(.connecting)
    connection.send(.joined(others: ["bea"]))
    received.send(ChatState.Message(author: .peer("bea"), text: "Hello!"))
    store.draft = "He"
    store.draft = "Hello"
    await clock.advance(by: .milliseconds(200))
    await saves.reply(to: "draft", with: ())
    // The user types on while the room has not accepted the message.
    store.send(.send)
    await store.settle()
    store.draft = "Hello bea"
    await room.reply(to: "Hello", with: ())
    received.send(ChatState.Message(author: .me, text: "Hello"))
    // The connection breaks, so the message stays in the draft, which cannot be saved either.
    connection.send(.lost(reason: "The room is gone."))
    store.send(.send)
    await room.fail(with: RoomError.notJoined)
    await clock.advance(by: .milliseconds(200))
    await saves.fail(with: DiskError.full)
    // Both come back.
    connection.send(.connecting)
    connection.send(.joined(others: []))
    notices.send("This room is new.")
    await clock.advance(by: .milliseconds(500))
    await saves.reply(to: "draft", with: ())
    // The second Return waits for the first one, and then finds nothing to send.
    store.send(.send)
    store.send(.send)
    await room.reply(to: " bea", with: ())
    received.send(ChatState.Message(author: .me, text: " bea"))
    await clock.advance(by: .milliseconds(200))
    await saves.reply(to: "draft", with: ())
    await store.finish()
    file.recording.stop()
    let source = try Trace.test(
      of: file.url, named: "recordedChat",
      Trace.Surroundings(
        imports: ["import SignalboxStorage", "@testable import Chat"],
        setup: [
          """
          let room = TestEndpoint<String, Void>("room")
          let saves = TestEndpoint<String, Void>("saves")
          let connection = Emitter<ChatState.Connection>()
          let received = Emitter<ChatState.Message>()
          let notices = Emitter<String>()
          let clock = TestClock()
          let drafts = SavedState<ChatState>("draft", in: Disk(saves: saves))
            .property("draft", \\.draft)
          let service = ChatService(
            join: {}, send: { try await room($0) }, connection: connection.signal,
            received: received.signal, notices: notices.signal)
          """
        ],
        state: "ChatState()",
        subject: "interactor: ChatInteractor(service: service, drafts: drafts, clock: clock)",
        hooks: [
          "connectionChanged": "connection.send($0)", "messageReceived": "received.send($0)",
          "noticeReceived": "notices.send($0)",
        ],
        withoutLiterals: ["transcript"], compared: ["transcript.latest"],
        expressions: ["There is no connection to the room.": "RoomError.notJoined"]))
    try expectGenerated(source, is: "RecordedChat")
  }
}
