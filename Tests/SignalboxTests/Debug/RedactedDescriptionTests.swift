import Foundation
import Signalbox
import SignalboxTesting
import Testing

/// Tests types whose own descriptions reveal what is `@Redacted` in them.
///
/// No property here is named to `DebugStore.redact(_:)`.
@MainActor struct RedactedDescriptionTests {
  private struct Key: Hashable, Comparable, CustomStringConvertible {
    @Redacted var code = "s3cret"
    var description: String { "Key(\(code))" }
    static func < (a: Key, b: Key) -> Bool { a.code < b.code }
  }

  private struct Wrong: Error, CustomStringConvertible {
    @Redacted var code = "s3cret"
    var description: String { "Wrong(\(code))" }
  }

  private enum Turn: CustomStringConvertible {
    case turn(Key)
    case knock
    var description: String {
      switch self {
      case .turn(let key): "turn \(key)"
      case .knock: "knock"
      }
    }
  }

  private static let lock = Handling<Int, Turn> { turn, store in
    if case .turn = turn { throw Wrong() }
  }

  @Test(
    "D4 a logging middleware prints no description of an action or an error with redacted parts")
  func middleware() async {
    var lines: [String] = []
    let store = Store(
      state: 0, actionable: Self.lock, middleware: LoggingMiddleware { lines.append($0) })
    // Without a subscriber, the store would print the error.
    let errors = store.events.sink { _ in }
    await store.dispatch(.turn(Key()))
    expectHidden(lines)
    await store.dispatch(.knock)
    #expect(lines.last?.hasPrefix("knock finished after") == true)
    errors.cancel()
  }

  @Test(
    "D4 the message on standard error prints no such description",
    .enabled(if: SystemLog.isStandardError))
  func unhandled() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      await RedactedDescriptionTests.failUnheard()
    }
    let text = result.errorText
    #expect(text.contains("The action"))
    expectHidden([text])
  }

  fileprivate static func failUnheard() async {
    await Store(state: 0, actionable: lock).dispatch(.turn(Key()))
  }

  @Test("D4 T4 a failure prints none in its headline, its events and the work in flight")
  func failure() async {
    let gate = StoreGate()
    let store = TestStore<Int, Turn>(
      state: 0,
      actionable: Handling { turn, store in
        store.run(id: Key()) { _ in try await gate.pass("run") }
        if case .turn = turn { throw Wrong() }
        try await gate.pass("door")
      })
    let found = await failures {
      await store.dispatch(.turn(Key())) { $0 = 1 }
      store.send(.knock)
      await store.settle(timeout: .milliseconds(5))
    }
    store.expectError()
    #expect(found.count == 2)
    expectHidden(found)
    #expect(found.last?.section("In flight:").contains { $0.contains("<redacted>") } == true)
    store.cancelAll()
    for door in ["run", "run", "door"] { gate.open(door) }
  }

  @Test("D4 T4 the failure about an action that hangs names it without the redacted value")
  func inFlight() async {
    let gate = StoreGate()
    let store = TestStore<Int, Turn>(
      state: 0, actionable: Handling { _, _ in try await gate.pass("door") })
    store.send(.turn(Key()))
    let clock = TestClock()
    expectHidden(
      await failures {
        await store.settle(timeout: .milliseconds(5))
        await clock.advance(by: .seconds(1), timeout: .milliseconds(5))
      })
    store.cancelAll()
    gate.open("door")
  }

  private struct Ring: CustomStringConvertible {
    var keys: Any
    var description: String { "s3cret" }
  }

  @Test("D4 collections with own descriptions, and values that contain them, reveal nothing")
  func collections() {
    let byKey = [Key(): 1]
    let byName = ["a": Key()]
    for value in [
      byKey.keys, byName.values, byKey, [Key()].reversed(), [Key()][...], ContiguousArray([Key()]),
      Set([Key()]), Key()..<Key(), [byKey.keys], AnyHashable(Key()), ["a": byKey.keys],
      CollectionOfOne(Key()), ["k": Key()] as KeyValuePairs, repeatElement(Key(), count: 2),
    ] as [Any] {
      expectHidden([Dump.string(of: value), Dump.description(of: value)])
      expectHidden([Dump.description(of: Ring(keys: value))])
    }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test("D4 inline arrays, and values that contain them, reveal nothing")
  func inlineArrays() {
    let keys: Any = [Key(), Key()] as InlineArray<2, Key>
    expectHidden([Dump.string(of: keys), Dump.description(of: keys)])
    expectHidden([Dump.description(of: Ring(keys: keys))])
  }

  @Test("D2 the keys and values of a dictionary are printed in order")
  func keysInOrder() {
    let numbers = Dictionary(uniqueKeysWithValues: (0..<9).map { ($0, "\(9 - $0)") })
    #expect(Dump.string(of: numbers.keys) == "Dictionary.Keys([0, 1, 2, 3, 4, 5, 6, 7, 8])")
    #expect(
      Dump.string(of: ["b": 2, "a": 1].values) == "Dictionary.Values([1, 2])")
  }

  private final class Chain: CustomStringConvertible {
    var next: Chain?
    var key: Key?
    var description: String { "Chain(\(key?.code ?? "-"))" }
  }

  @Test("D4 objects that refer to one another are searched once")
  func objects() {
    let (one, two) = (Chain(), Chain())
    (one.next, two.next) = (two, one)
    defer { one.next = nil }
    #expect(Dump.description(of: one) == "Chain(-)")
    two.key = Key()
    expectHidden([Dump.description(of: one), Dump.string(of: two)])
  }

  @Test("D4 a large value without redacted parts uses its own description")
  func large() {
    struct Upload: CustomStringConvertible {
      var bytes = [UInt8](repeating: 1, count: 100_000)
      var data = Data(repeating: 1, count: 100_000)
      var lines = [[String]](repeating: ["a"], count: 20_000)
      var description: String { "Upload" }
    }
    #expect(Dump.description(of: Upload()) == "Upload")
  }

  @Test("D4 errors of Foundation do not reveal redacted values in their user info")
  func foundationErrors() {
    let error = NSError(domain: "door", code: 1, userInfo: ["key": Key()])
    expectHidden([Dump.description(of: error)])
    struct Refused: LocalizedError {
      @Redacted var code = "s3cret"
      var errorDescription: String? { "Refused(\(code))" }
    }
    expectHidden([Dump.description(of: Refused()), Dump.string(of: Refused())])
  }

  private struct Open: CustomReflectable {
    @Redacted var code = "s3cret"
    var customMirror: Mirror { Mirror(self, children: ["shown": _code]) }
  }

  @Test("D4 a custom mirror is trusted, and hides what it shows as redacted")
  func mirrors() throws {
    for value in [Open(), [Open()], Open?.some(Open()) as Any] as [Any] {
      expectHidden([Dump.string(of: value), Dump.description(of: Ring(keys: value))])
    }
    #expect(Dump.string(of: Mirror(reflecting: Key())).contains("Mirror"))
    let diff = try #require(Diff(from: [Open()], to: [Open(code: "s3cret!")]))
    expectHidden([diff.description])
  }
}
