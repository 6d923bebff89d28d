import Signalbox
import SignalboxTesting
import Testing

@MainActor @Test func recordedCancels() async {
  let server = TestEndpoint<String, Int>("server")
  let store = TestStore(
    state: KioskState(),
    interactor: Kiosk(server: server))
  let saveTask = store.send(.save(1))
  await store.settle()
  store.expect { $0.log = ["save(1) begins"] }
  saveTask.cancel()
  await store.settle()
  store.expect { $0.log.append(contentsOf: ["save(1) cancelled", "other begins"]) }
  store.cancelAll()
  store.expect { $0.log.append("other cancelled") }
  let plainTask = store.send(.plain(1))
  await store.settle()
  store.expect { $0.log.append("plain(1) begins") }
  let saveTask2 = store.send(.save(2))
  await store.settle()
  store.expect { $0.log.append("save(2) begins") }
  let saveTask3 = store.send(.save(3))
  await store.settle()
  let saveTask4 = store.send(.save(4))
  await store.settle()
  saveTask4.cancel()
  saveTask3.cancel()
  saveTask2.cancel()
  await store.settle()
  store.expect { $0.log.append("save(2) cancelled") }
  let saveTask5 = store.send(.save(5))
  await store.settle()
  store.expect { $0.log.append("save(5) begins") }
  let saveTask6 = store.send(.save(6))
  await store.settle()
  saveTask5.cancel()
  await store.settle()
  store.expect { $0.log.append(contentsOf: ["save(5) cancelled", "save(6) begins"]) }
  saveTask6.cancel()
  await store.settle()
  store.expect { $0.log.append("save(6) cancelled") }
  let quietTask = store.send(.quiet(7))
  await store.settle()
  let quietTask2 = store.send(.quiet(8))
  await store.settle()
  plainTask.cancel()
  quietTask.cancel()
  quietTask2.cancel()
  store.expect {
    $0.log.append(contentsOf: ["plain(1) cancelled", "quiet(7) cancelled", "quiet(8) cancelled"])
  }
  store.send(.saveBoth)
  await store.settle()
  store.expect { $0.log.append("save(1) begins") }
  store.cancelAll()
  await store.settle()
  store.expect { $0.log.append(contentsOf: ["save(1) cancelled", "other begins"]) }
  store.send(.plain(2))
  await store.settle()
  store.expect { $0.log.append("plain(2) begins") }
  store.cancelAll()
  store.expect { $0.log.append(contentsOf: ["other cancelled", "plain(2) cancelled"]) }
  let plainTask3 = store.send(.plain(3))
  await store.settle()
  store.expect { $0.log.append("plain(3) begins") }
  let plainTask4 = store.send(.plain(4))
  await store.settle()
  store.expect { $0.log.append("plain(4) begins") }
  let plainTask5 = store.send(.plain(5))
  await store.settle()
  store.expect { $0.log.append("plain(5) begins") }
  let plainTask6 = store.send(.plain(6))
  await store.settle()
  store.expect { $0.log.append("plain(6) begins") }
  plainTask6.cancel()
  plainTask5.cancel()
  plainTask3.cancel()
  plainTask4.cancel()
  store.expect {
    $0.log.append(
      contentsOf: [
        "plain(6) cancelled", "plain(5) cancelled", "plain(3) cancelled", "plain(4) cancelled",
      ])
  }
  await store.dispatch(.show(.note(KioskState.Note(text: "", isStarred: false)))) {
    $0.route = .note(KioskState.Note(text: "", isStarred: false))
  }
  store.send(.plain(9))
  await store.settle()
  store.expect { $0.log.append("plain(9) begins") }
  let task = store.child(case: \.route, KioskState.Route.note, Notepad.self)?.send("first")
  await store.settle()
  store.expect { $0.route = .note(KioskState.Note(text: "first", isStarred: false)) }
  let task2 = store.child(case: \.route, KioskState.Route.note, Notepad.self)?.send("second")
  await store.settle()
  store.expect { $0.route = .note(KioskState.Note(text: "firstsecond", isStarred: false)) }
  task?.cancel()
  task2?.cancel()
  await store.settle()
  store.expect {
    $0.route = .note(
      KioskState.Note(text: "firstsecond not firstthird not second", isStarred: false))
  }
  store.cancelAll()
  store.expect {
    $0.log.append("plain(9) cancelled")
    $0.route = .note(
      KioskState.Note(text: "firstsecond not firstthird not second not third", isStarred: false))
  }
  let plainTask8 = store.send(.plain(7))
  await store.settle()
  store.expect { $0.log.append("plain(7) begins") }
  let plainTask9 = store.send(.plain(8))
  await store.settle()
  store.expect { $0.log.append("plain(8) begins") }
  plainTask9.cancel()
  plainTask8.cancel()
  store.expect { $0.log.append(contentsOf: ["plain(8) cancelled", "plain(7) cancelled"]) }
  await store.finish()
}
