import Signalbox
import SignalboxTesting
import Testing

/// Tests that what the library carries from a redacted place is redacted where it arrives.
///
/// Such a place stays redacted in the type of its state, so each test has types of its own.
@MainActor struct CarriedValueTests {
  private struct Copies: Equatable {
    @Redacted var code = "s3cret"
    var open = "hello"
    var (plain, mapped, debounced, throttled) = ("", "", "", "")
    var (combined, latest, shared, merged) = ("", "", "", "")
    var (current, scanned, forced, first) = ("", "", "", "")
    var fromOpen = ""
  }

  private typealias Handle = MutatingStore<Copies, Int>

  /// The ways from the code to a property, by the name of the property.
  private static let ways: [String: @MainActor (Handle, TestClock) -> Subscription] = [
    "plain": { store, _ in store.publisher.code.assign(to: \.plain, using: store) },
    "mapped": { store, _ in
      store.publisher.code.map { $0.uppercased() }.assign(to: \.mapped, using: store)
    },
    "debounced": { store, clock in
      store.publisher.code.debounce(for: .seconds(1), clock: clock)
        .assign(to: \.debounced, using: store)
    },
    "throttled": { store, clock in
      store.publisher.code.throttle(for: .seconds(1), clock: clock)
        .assign(to: \.throttled, using: store)
    },
    "combined": { store, _ in
      combineLatest(store.publisher.open, store.publisher.code).map { $0 + $1 }
        .assign(to: \.combined, using: store)
    },
    "latest": { store, _ in
      store.publisher.open.includingCurrent()
        .flatMapLatest { _ in store.publisher.code.includingCurrent() }
        .assign(to: \.latest, using: store)
    },
    "shared": { store, _ in
      store.publisher.code.share(replay: 1).assign(to: \.shared, using: store)
    },
    "merged": { store, _ in
      store.publisher.open.merge(with: store.publisher.code).assign(to: \.merged, using: store)
    },
    "current": { store, _ in
      store.publisher.code.includingCurrent().assign(to: \.current, using: store)
    },
    "scanned": { store, _ in
      store.publisher.code.scan("") { $0 + $1 }.assign(to: \.scanned, using: store)
    },
    "forced": { store, _ in
      store.publisher.code.assign(to: \.forced, using: store, forceUpdate: true)
    },
    "first": { store, _ in store.publisher.code.prefix(1).assign(to: \.first, using: store) },
    "fromOpen": { store, _ in
      store.publisher.open.map { $0.uppercased() }.assign(to: \.fromOpen, using: store)
    },
  ]

  @Test("D6 what assign(to:) writes from a redacted property is hidden, whatever lies between")
  func operators() async {
    let clock = TestClock()
    let store = TestStore(
      state: Copies(),
      interactor: Hooking<Copies, Int, OneHook>(
        connect: { _, store in
          let all = Self.ways.values.map { $0(store, clock) }
          return Subscription { for subscription in all { subscription.cancel() } }
        },
        handle: { number, store in
          store.code = "s3cret-\(number)"
          store.open = "bye"
        }))
    let found = await failures {
      await store.dispatch(2) { $0.open = "" }
      await clock.advance(by: .seconds(1))
      store.expect { $0.open = "" }
    }
    let dump = Dump.string(of: store.state, limits: .unlimited)
    for name in Self.ways.keys where name != "fromOpen" {
      #expect(dump.contains("\(name): <redacted>"), "\(dump)")
    }
    #expect(dump.contains(#"fromOpen: "BYE""#), "\(dump)")
    #expect(!dump.lowercased().contains("s3cret"), "\(dump)")
    #expect(found.count == 2)
    #expect(!found.contains { $0.lowercased().contains("s3cret") }, "\(found)")
  }

  private struct Late: Equatable {
    @Redacted var code = "s3cret"
    var copy = ""
    var count = 0
  }

  @Test("D6 a copied value is hidden in a diff, in a later recorder, and outside of hooks")
  func later() throws {
    var kept: Subscription?
    let store = Store(
      state: Late(),
      actionable: Handling<Late, Int> { _, store in
        kept = store.publisher.code.assign(to: \.copy, using: store)
        store.code = "s3cret-2"
      })
    let before = store.state
    store.send(1)
    #expect(store.copy == "s3cret-2")
    let diff = try #require(Diff(from: before, to: store.state))
    expectHidden([diff.description])
    var texts: [String] = []
    let late = store.events.sink { event in
      if case .started(let state) = event.kind { texts.append(Dump.string(of: state)) }
    }
    #expect(texts.count == 1)
    expectHidden(texts)
    withExtendedLifetime((kept, late)) {}
  }

  private struct Named: Equatable {
    var code = "s3cret"
    var copy = ""
    var again = ""
  }

  @Test("D6 a copy of a copy is hidden, also of a property that the program names")
  func chain() {
    DebugStore.redact(\Named.code)
    let store = Store(
      state: Named(),
      interactor: Hooking<Named, Int, ThreeHooks>(
        connect: { hook, store in
          switch hook {
          case .first: store.publisher.code.assign(to: \.copy, using: store)
          case .second: store.publisher.copy.map { $0 + "!" }.assign(to: \.again, using: store)
          case .third: .empty
          }
        }, handle: { _, store in store.code = "s3cret-2" }))
    store.send(1)
    #expect(store.again == "s3cret-2!")
    #expect(
      Dump.string(of: store.state) == "Named(code: <redacted>, copy: <redacted>, again: <redacted>)"
    )
    // The copy may still be saved. Only texts hide it.
    #expect(!Redaction.current.meets(\Named.copy, in: store.state))
    #expect(Redaction.current.meets(\Named.code, in: store.state))
  }

  private struct Clear: Equatable {
    var error: (any Error & Sendable)?
    var name = "ann"
    var copy = ""
    static func == (a: Self, b: Self) -> Bool { a.name == b.name && a.copy == b.copy }
  }

  @Test("D6 what comes from a place that is not redacted is shown where it arrives")
  func shown() {
    let other = Store(
      state: Clear(), actionable: Handling<Clear, Int> { _, store in store.name = "b" })
    let store = Store(
      state: Clear(),
      interactor: Hooking<Clear, Int, OneHook>(
        connect: { _, store in
          other.publisher.map(\.name).merge(with: store.publisher.name)
            .assign(to: \.copy, using: store)
        }))
    other.send(1)
    #expect(Dump.string(of: store.state) == #"Clear(error: nil, name: "ann", copy: "b")"#)
  }

  private struct Lock: Equatable {
    enum Strength { case weak, strong }

    @Redacted var code = "s3cret"
    var isLong = false
    var strength: Strength?
    var length = 0
  }

  @Test("D6 A Bool or an enum of one byte that was made of a hidden value stays visible")
  func verdicts() {
    let store = Store(
      state: Lock(),
      interactor: Hooking<Lock, String, ThreeHooks>(
        connect: { hook, store in
          let code = store.publisher.code
          return switch hook {
          case .first: code.map { $0.count > 7 }.assign(to: \.isLong, using: store)
          case .second:
            code.map { $0.count > 7 ? .strong : .weak }.assign(to: \.strength, using: store)
          case .third: code.map(\.count).assign(to: \.length, using: store)
          }
        },
        handle: { code, store in store.code = code }))
    store.send("s3cret-2")
    #expect(
      Dump.string(of: store.state)
        == "Lock(code: <redacted>, isLong: true, strength: Strength.strong, length: <redacted>)")
  }

  private struct Shelf: Equatable {
    @Redacted var code = "s3cret"
    var hidden = Slip()
    var name = "ann"
    var one = Slip()
    var two = Label()
  }

  private struct Slip: Equatable { var text = "s3cret" }
  private struct Label: Equatable { var (code, name, slip) = ("", "", "") }

  private struct Shelving: Interactor {
    func onAction(_ code: String, store: MutatingStore<Shelf, String>) {
      store.code = code
      store.hidden.text = code
      store.name = "bob"
    }

    func children(of store: MutatingStore<Shelf, String>) -> Children<Shelf> {
      Child(\.hidden) { Hooking<Slip, Never, OneHook>(connect: { _, _ in .empty }) }
      Child(\.two) {
        Hooking<Label, Never, ThreeHooks>(connect: { hook, label in
          switch hook {
          case .first: store.publisher.code.assign(to: \.code, using: label)
          case .second: store.publisher.name.assign(to: \.name, using: label)
          case .third:
            store.child(\.hidden, Hooking<Slip, Never, OneHook>.self).publisher.text.share()
              .assign(to: \.slip, using: label)
          }
        })
      }
    }
  }

  @Test("D6 a child's copy of what is redacted in its parent or a sibling is hidden")
  func children() {
    DebugStore.redact(\Shelf.hidden)
    let store = Store(state: Shelf(), interactor: Shelving())
    store.send("s3cret-2")
    #expect(store.two == Label(code: "s3cret-2", name: "bob", slip: "s3cret-2"))
    #expect(
      Dump.string(of: store.two) == #"Label(code: <redacted>, name: "bob", slip: <redacted>)"#)
  }

  private struct Rows: Equatable {
    @Redacted var code = "s3cret"
    @Redacted var wrapped = ""
    var rows = ["a", "b"]
    var watched = "" { didSet {} }
    var count = 0
  }

  @Test("D6 a copy in a place without a name hides what contains the place")
  func nameless() {
    func dump(_ connect: @escaping @MainActor (MutatingStore<Rows, Int>) -> Subscription) -> String
    {
      let store = Store(
        state: Rows(),
        interactor: Hooking<Rows, Int, OneHook>(
          connect: { _, store in connect(store) },
          handle: { _, store in store.code = "s3cret-2" }))
      store.send(1)
      return Dump.string(of: store.state)
    }
    #expect(
      dump { $0.publisher.code.assign(to: \.wrapped, using: $0) }.contains(#"rows: ["a", "b"]"#))
    let text = dump { $0.publisher.code.assign(to: \.rows[1], using: $0) }
    #expect(text.contains("rows: <redacted>") && text.contains("count: 0"), "\(text)")
    #expect(dump { $0.publisher.code.map { $0 + "!" }.assign(to: \.rows[0], using: $0) } == text)
  }
}
