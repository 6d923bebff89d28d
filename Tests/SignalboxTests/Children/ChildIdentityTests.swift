import Observation
import SignalboxTesting
import Testing

@testable import Signalbox

/// Optional children whose states say which child they are.
@MainActor struct ChildIdentityTests {
  private struct Account: Equatable {
    var user: String
    var inbox: [String] = []
  }

  private struct Session: Identifiable, Equatable {
    var id: String
    var inbox: [String] = []
  }

  private struct Home: Equatable {
    var account: Account?
    var session: Session?
    /// Declared without an identity.
    var guest: Account?
    var ends: [String] = []
  }

  private enum Mail {
    case load
    case rename(String)
  }

  private struct AccountFeature: Interactor {
    let load: @MainActor (String) async throws -> [String]

    func onAction(_ action: Mail, store: MutatingStore<Account, Mail>) async throws {
      switch action {
      case .load: store.inbox = try await load(store.user)
      case .rename(let user): store.user = user
      }
    }
  }

  private struct SessionFeature: Interactor {
    enum Hook: CaseIterable { case inbox }

    let begin: @MainActor () -> Void

    func onAction(_ action: Mail, store: MutatingStore<Session, Mail>) async throws {
      if case .rename(let id) = action { store.id = id }
    }

    func subscription(for hook: Hook, store: MutatingStore<Session, Mail>) -> Subscription {
      begin()
      return store.publisher.inbox.sink { _ in }
    }
  }

  private struct HomeFeature: Interactor {
    var load: @MainActor (String) async throws -> [String] = { _ in [] }
    var begin: @MainActor (String) -> Void = { _ in }

    func children(of store: MutatingStore<Home, String>) -> Children<Home> {
      Child(\.account, id: \.user) { AccountFeature(load: load) }
      Child(\.guest) { AccountFeature(load: load) }
      Self.optional(\.session) { SessionFeature { begin(store.session?.id ?? "none") } }
    }

    /// Does not know whether the state is `Identifiable`.
    static func optional<I: Interactor>(
      _ keyPath: WritableKeyPath<Home, I.State?>, _ make: @escaping @MainActor () -> I
    ) -> Child<Home> { Child(keyPath, interactor: make) }

    func onAction(_ user: String, store: MutatingStore<Home, String>) {
      store.account = Account(user: user)
      store.guest = Account(user: user)
      store.session = Session(id: user)
    }
  }

  @Test("C14 Another account in one write is another child, which no mail of the first one reaches")
  func accounts() async throws {
    let server = TestEndpoint<String, [String]>("load", heedsCancellation: false)
    let home = TestStore(state: Home(), interactor: HomeFeature(load: { try await server($0) }))
    home.send("ann")
    let first = try #require(home.child(\.account, AccountFeature.self))
    first.send(.load)
    home.send("bob")
    await server.reply(to: "ann", with: ["private mail of ann"])
    await home.settle(includingCancelled: true)
    #expect(home.account == Account(user: "bob"))
    let second = try #require(home.child(\.account, AccountFeature.self))
    #expect(second !== first)
    second.send(.load)
    #expect(server.pending == ["bob"])
    await server.reply(to: "bob", with: ["hello bob"])
    home.expect {
      $0.account = Account(user: "bob", inbox: ["hello bob"])
      $0.guest = Account(user: "bob")
      $0.session = Session(id: "bob")
    }
    // The first one is gone: it has its last value and does nothing (C6).
    #expect(first.state == Account(user: "ann"))
  }

  @Test("C5 A child without an identity stays, whatever value replaces its state")
  func withoutIdentity() throws {
    let home = Store(state: Home(), interactor: HomeFeature())
    home.dispatch("ann")
    let first = try #require(home.child(\.guest, AccountFeature.self))
    home.dispatch("bob")
    #expect(home.child(\.guest, AccountFeature.self) === first)
    #expect(first.user == "bob")
  }

  @Test("C14 The other child begins in that commit, before an observer is notified")
  func begins() {
    var steps: [String] = []
    let home = Store(
      state: Home(), interactor: HomeFeature(begin: { steps.append("begins \($0)") }))
    let observer = home.publisher.session.sink { steps.append("told \($0?.id ?? "nil")") }
    let inbox = { home.child(\.session, SessionFeature.self)?.publisher.inbox }
    home.dispatch("ann")
    let mail = inbox()?.sink { _ in steps.append("mail") }
    home.binder.session.wrappedValue?.inbox = ["a"]
    home.dispatch("bob")
    home.binder.session.wrappedValue?.inbox = ["b"]
    #expect(
      steps == ["begins ann", "told ann", "told ann", "mail", "begins bob", "told bob", "told bob"])
    withExtendedLifetime((observer, mail)) {}
  }

  @Test("C14 C5 An id that is back at the end of a batch is the same child")
  func backInABatch() throws {
    var begun = 0
    let home = Store(state: Home(), interactor: HomeFeature(begin: { _ in begun += 1 }))
    home.dispatch("ann")
    let first = try #require(home.child(\.session, SessionFeature.self))
    home.instruments.arranging.batch {
      home.binder.session.wrappedValue = Session(id: "bob")
      #expect(first.id == "ann")
      home.binder.session.wrappedValue = Session(id: "ann", inbox: ["x"])
    }
    #expect(begun == 1)
    #expect(home.child(\.session, SessionFeature.self) === first)
    #expect(first.inbox == ["x"])
  }

  @Test("C14 C4 A child that gives its state another identity ends with that")
  func ownID() throws {
    let home = Store(state: Home(), interactor: HomeFeature())
    home.dispatch("ann")
    let session = try #require(home.child(\.session, SessionFeature.self))
    let account = try #require(home.child(\.account, AccountFeature.self))
    session.dispatch(.rename("bob"))
    account.binder.user.wrappedValue = "bob"
    #expect(home.session == Session(id: "bob"))
    #expect(home.account == Account(user: "bob"))
    home.binder.session.wrappedValue?.inbox = ["x"]
    #expect(session.state == Session(id: "bob"))
    session.dispatch(.rename("eve"))
    #expect(home.session == Session(id: "bob", inbox: ["x"]))
    #expect(home.child(\.session, SessionFeature.self) !== session)
    #expect(home.child(\.account, AccountFeature.self) !== account)
  }

  @Test("C14 M5 A binding to the child notices another identity, and nothing else of the state")
  func binding() throws {
    let home = Store(state: Home(), interactor: HomeFeature())
    home.dispatch("ann")
    let binding = home.binder.child(\.account, AccountFeature.self)
    var received: [String?] = []
    let observer = binding.signal.sink { received.append($0?.user) }
    var changes = 0
    func track() {
      withObservationTracking {
        _ = binding.wrappedValue
      } onChange: {
        MainActor.assumeIsolated { changes += 1 }
      }
    }
    track()
    home.binder.account.wrappedValue?.inbox = ["x"]
    #expect(changes == 0)
    home.dispatch("bob")
    #expect(changes == 1)
    track()
    home.binder.account.wrappedValue = nil
    #expect(changes == 2)
    #expect(received == ["bob", nil])
    observer.cancel()
  }

  @Test("C14 C10 So does a child whose events a transducer handles")
  func transducer() throws {
    enum Counter: Transducer {
      struct State: Identifiable { var id = 1, kind = 1, count = 0 }
      enum Event { case next }

      static func update(_ state: inout State, event: Event) -> Effect? {
        state.count += 1
        return nil
      }
    }
    struct Desk { var counter: Counter.State?, named: Counter.State? }
    struct Keeper: Interactor {
      func children(of store: MutatingStore<Desk, Never>) -> Children<Desk> {
        Child(\.counter) { Counter.feature() }
        Child(\.named, id: \.kind) { Counter.feature() }
      }
      func onAction(_ action: Never, store: MutatingStore<Desk, Never>) {}
    }
    let desk = Store(
      state: Desk(counter: Counter.State(), named: Counter.State()), interactor: Keeper())
    let counter = try #require(desk.child(\.counter, Counter.self))
    let named = try #require(desk.child(\.named, Counter.self))
    desk.binder.counter.wrappedValue = Counter.State(id: 2)
    desk.binder.named.wrappedValue = Counter.State(id: 2)
    counter.dispatch(.next)
    named.dispatch(.next)
    #expect(desk.state.counter?.count == 0)
    #expect(desk.state.named?.count == 1)
    desk.binder.named.wrappedValue = Counter.State(kind: 2)
    named.dispatch(.next)
    #expect(desk.state.named?.count == 0)
  }
}
