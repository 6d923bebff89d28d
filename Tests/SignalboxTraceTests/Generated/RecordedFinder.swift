import Signalbox
import SignalboxTesting
import Testing

@MainActor @Test func recordedFinder() async {
  let search = TestEndpoint<String, [FinderState.Hit]>("search")
  let remote = Emitter<FinderState.Hit>()
  let clock = TestClock()
  let store = TestStore(
    state: FinderState(query: "", phase: .idle, hits: [], rows: []),
    interactor: Finder(search: search, remote: remote.signal, clock: clock))
  store.query = "a \"quoted\" \\ text\n"
  await clock.advance(by: .milliseconds(300))
  store.expect { $0.phase = .searching("a \"quoted\" \\ text\n") }
  await search.reply(
    to: "a \"quoted\" \\ text\n", with: [FinderState.Hit(id: 1, title: "one", score: 0.5)])
  store.expect {
    $0.phase = .idle
    $0.hits = [FinderState.Hit(id: 1, title: "one", score: 0.5)]
  }
  store.send(.search("a"))
  await store.settle()
  store.expect { $0.phase = .searching("a") }
  store.send(.search("ab"))
  await store.settle()
  store.expect { $0.phase = .searching("ab") }
  await search.reply(to: "ab", with: [])
  store.expect {
    $0.phase = .idle
    $0.hits = []
  }
  store.send(.search("abc"))
  await store.settle()
  store.expect { $0.phase = .searching("abc") }
  await search.fail("abc", with: FinderError.busy(seconds: 3))
  store.expect { $0.phase = .failed(FinderError.busy(seconds: 3)) }
  remote.send(FinderState.Hit(id: 2, title: "two", score: nil))
  store.expect { $0.hits = [FinderState.Hit(id: 2, title: "two", score: nil)] }
  await store.dispatch(.add(row: 3)) { $0.rows = [RowState(id: 3, name: "")] }
  await store.child(\.rows, id: 3, Row.self)?.dispatch(.rename("x"))
  store.expect { $0.rows[0].name = "x" }
  await store.settle()
  #expect(search.pending.isEmpty)
  await store.finish()
}
