import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

@testable import Chat

@MainActor @Test func recordedChat() async {
  let room = TestEndpoint<String, Void>("room")
  let saves = TestEndpoint<String, Void>("saves")
  let connection = Emitter<ChatState.Connection>()
  let received = Emitter<ChatState.Message>()
  let notices = Emitter<String>()
  let clock = TestClock()
  let drafts = SavedState<ChatState>("draft", in: Disk(saves: saves))
    .property("draft", \.draft)
  let service = ChatService(
    join: {}, send: { try await room($0) }, connection: connection.signal,
    received: received.signal, notices: notices.signal)
  let store = TestStore(
    state: ChatState(),
    interactor: ChatInteractor(service: service, drafts: drafts, clock: clock))
  await store.dispatch(.start)
  connection.send(.connecting)
  store.expect { $0.connection = .connecting }
  connection.send(.joined(others: ["bea"]))
  store.expect { $0.connection = .joined(others: ["bea"]) }
  received.send(ChatState.Message(author: .peer("bea"), text: "Hello!"))
  #expect(store.transcript.latest == [ChatState.Message(author: .peer("bea"), text: "Hello!")])
  store.draft = "He"
  store.expect(including: { $0.saving = .pending })
  store.draft = "Hello"
  await clock.advance(by: .milliseconds(200))
  await saves.reply(to: "draft", with: ())
  store.expect { $0.saving = .saved }
  store.send(.send)
  await store.settle()
  store.draft = "Hello bea"
  await store.settle()
  store.expect { $0.saving = .pending }
  await room.reply(to: "Hello", with: ())
  store.expect { $0.draft = " bea" }
  received.send(ChatState.Message(author: .me, text: "Hello"))
  #expect(
    store.transcript.latest == [
      ChatState.Message(author: .peer("bea"), text: "Hello!"),
      ChatState.Message(author: .me, text: "Hello"),
    ])
  connection.send(.lost(reason: "The room is gone."))
  store.expect(including: { $0.connection = .lost(reason: "The room is gone.") })
  store.send(.send)
  await room.fail(" bea", with: RoomError.notJoined)
  store.expect {
    $0.notice = "There is no connection to the room. Your message is still in the draft."
  }
  await clock.advance(by: .milliseconds(200))
  await saves.fail("draft", with: DiskError.full)
  store.expect {
    $0.saving = .failed("Saving failed: full")
    $0.notice = "Saving failed: full"
  }
  connection.send(.connecting)
  store.expect { $0.connection = .connecting }
  connection.send(.joined(others: []))
  store.expect { $0.connection = .joined(others: []) }
  notices.send("This room is new.")
  store.expect { $0.notice = "This room is new." }
  await clock.advance(by: .milliseconds(500))
  await saves.reply(to: "draft", with: ())
  store.expect { $0.saving = .saved }
  store.send(.send)
  await store.settle()
  store.expect { $0.notice = nil }
  store.send(.send)
  await room.reply(to: " bea", with: ())
  store.expect {
    $0.draft = ""
    $0.saving = .pending
  }
  received.send(ChatState.Message(author: .me, text: " bea"))
  #expect(
    store.transcript.latest == [
      ChatState.Message(author: .peer("bea"), text: "Hello!"),
      ChatState.Message(author: .me, text: "Hello"),
      ChatState.Message(author: .me, text: " bea"),
    ])
  await clock.advance(by: .milliseconds(200))
  await saves.reply(to: "draft", with: ())
  store.expect(including: { $0.saving = .saved })
  await store.settle()
  #expect(room.pending.isEmpty)
  #expect(saves.pending.isEmpty)
  #expect(!store.isRunning(id: "saving draft"))
  await store.finish()
}
