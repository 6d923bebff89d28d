import Signalbox
import SignalboxTesting
import Testing

@testable import Search

@MainActor @Test func recordedSearch() async {
  let files = TestEndpoint<String, SearchStep?>("files", heedsCancellation: false)
  let clock = TestClock()
  let service = SearchService { query in AsyncStream { try? await files(query) ?? nil } }
  let store = TestStore(
    state: SearchState(),
    interactor: SearchInteractor(service: service, limit: 3, clock: clock))
  store.query = "s"
  await store.settle()
  store.expect { $0.phase = .waiting }
  await clock.advance(by: .milliseconds(100))
  store.query = "sw"
  await clock.advance(by: .milliseconds(150))
  store.expect(including: { $0.phase = .searching })
  await files.reply(to: "sw", with: SearchStep(paths: ["Sources/a.swift"], lookedAt: 10))
  #expect(store.findings.paths.elements == ["Sources/a.swift"])
  #expect(store.findings.paths.count == 1)
  #expect(store.findings.lookedAt == 10)
  store.query = "swi"
  await store.settle()
  store.expect(including: { $0.phase = .waiting })
  await clock.advance(by: .milliseconds(150))
  store.expect(including: { $0.phase = .searching })
  #expect(store.findings.paths.elements == [])
  #expect(store.findings.paths.count == 0)
  #expect(store.findings.lookedAt == 0)
  await files.reply(
    to: "swi", with: SearchStep(paths: ["Package.swift", "Tests/b.swift"], lookedAt: 12))
  #expect(store.findings.paths.elements == ["Package.swift", "Tests/b.swift"])
  #expect(store.findings.paths.count == 2)
  #expect(store.findings.lookedAt == 12)
  await files.reply(to: "sw", with: SearchStep(paths: ["late.sw"], lookedAt: 1))
  await files.reply(
    to: "swi", with: SearchStep(unreadable: [UnreadableFolder(path: "secrets", reason: "No")]))
  #expect(store.findings.unreadable.elements == [UnreadableFolder(path: "secrets", reason: "No")])
  await files.reply(to: "swi", with: SearchStep(paths: ["c.swift", "d.swift"], lookedAt: 7))
  #expect(store.findings.paths.elements == ["Package.swift", "Tests/b.swift", "c.swift"])
  #expect(store.findings.paths.count == 4)
  #expect(store.findings.lookedAt == 19)
  await files.reply(to: "swi", with: nil)
  store.expect(including: { $0.phase = .finished })
  store.send(.search("swift"))
  await store.settle()
  store.expect(including: { $0.phase = .searching })
  #expect(store.findings.paths.elements == [])
  #expect(store.findings.paths.count == 0)
  #expect(store.findings.lookedAt == 0)
  #expect(store.findings.unreadable.elements == [])
  await store.dispatch(.cancel) { $0.phase = .stopped }
  store.send(.cancel)
  await store.settle()
  store.expect {
    $0.query = ""
    $0.phase = .waiting
  }
  await clock.advance(by: .milliseconds(150))
  store.expect { $0.phase = .idle }
  await store.finish()
}
