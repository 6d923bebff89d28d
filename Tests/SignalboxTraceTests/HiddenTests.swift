import ExampleTesting
import Foundation
import RandomPrograms
import Signalbox
import SignalboxInspection
import SignalboxTesting
import Testing

@testable import SignalboxTrace

/// No byte of a recording comes from something redacted.
@MainActor struct HiddenTests {
  /// A value of any shape, which shows its secret wherever a description is used.
  struct Safe: Hashable, Identifiable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible
  {
    var id: Int
    @Redacted var secret = "s3cret"
    var description: String { "safe with \(secret)" }
    var debugDescription: String { description }
  }

  enum Box: Hashable, Sendable {
    case empty
    case full(Safe)
    indirect case nested([Box], label: Safe?)
  }

  final class Holder: Equatable {
    let safe: Safe
    init(_ safe: Safe) { self.safe = safe }
    static func == (left: Holder, right: Holder) -> Bool { left.safe == right.safe }
  }

  struct Vault: Equatable {
    var name = ""
    var safe = Safe(id: 0)
    var maybe: Safe?
    var list: [Safe] = []
    var set: Set<Safe> = []
    var byName: [String: Safe] = [:]
    var bySafe: [Safe: Int] = [:]
    var box = Box.empty
    var holder: Holder?
    var any: AnyHashable = 0
    var range = 0..<1
    @Redacted var token = "s3cret-token"
    @Redacted var lines: [String] = []
  }

  enum VaultAction: Sendable {
    case open(Box, Safe?)
    case fail(Safe)
  }

  struct VaultError: Error, CustomStringConvertible {
    var safe: Safe
    var description: String { "no: \(safe.secret)" }
  }

  enum VaultHook: CaseIterable { case token, safe, mapped }

  struct Keeper: Interactor {
    func onAction(_ action: VaultAction, store: MutatingStore<Vault, VaultAction>) async throws {
      switch action {
      case .open(let box, let safe):
        store.box = box
        store.maybe = safe
      case .fail(let safe): throw VaultError(safe: safe)
      }
    }

    func subscription(for hook: VaultHook, store: MutatingStore<Vault, VaultAction>) -> Subscription
    {
      switch hook {
      case .token: store.publisher.token.sink { _ in }
      case .safe: store.publisher.safe.secret.sink { _ in }
      case .mapped: store.publisher.token.map { "token \($0)" }.sink { _ in }
      }
    }
  }

  private static func change(_ vault: inout Vault, _ random: inout SeededRandom) {
    let secret = "s3cret-\(random.below(3))"
    let safe = Safe(id: random.below(3), secret: secret)
    switch random.below(13) {
    case 0: vault.name = "\(random.below(4))"
    case 1: vault.safe = safe
    case 2: vault.maybe = random.oneIn(2) ? nil : safe
    case 3: vault.list.insert(safe, at: random.below(vault.list.count + 1))
    case 4: if !vault.list.isEmpty { vault.list.removeFirst() }
    case 5: vault.set.formSymmetricDifference([safe])
    case 6: vault.byName["\(random.below(2))"] = random.oneIn(3) ? nil : safe
    case 7: vault.bySafe[safe, default: 0] += 1
    case 8: vault.box = .nested([.full(safe), .empty], label: safe)
    case 9: vault.holder = Holder(safe)
    case 10: vault.any = AnyHashable(safe)
    case 11: vault.token = secret
    default: vault.lines.append(secret)
    }
  }

  @Test("R3 D4 no secret is in any byte of a recording, in whatever it is")
  func fuzzed() async throws {
    let file = try RecordedFile(checkpoint: 1_000)
    for seed in LawPrograms.seeds(40) {
      var random = SeededRandom(seed: seed)
      let store = Store(state: Vault(), interactor: Keeper(), name: "vault \(seed)")
      for _ in 0..<20 {
        Self.change(&store.instruments.arranging.state, &random)
        let safe = Safe(id: 1, secret: "s3cret-\(random.below(9))")
        switch random.below(6) {
        case 0: await store.dispatch(.open(.full(safe), safe))
        case 1: await store.dispatch(.fail(safe))
        default: break
        }
      }
      #expect(!store.why(\.self).description.contains("s3cret"))
    }
    file.recording.stop()
    let text = String(decoding: try Data(contentsOf: file.url), as: UTF8.self)
    let (_, events) = try TraceReader.read(Array(text.utf8))
    let own = events.of("vault 1")
    for kind in ["changed", "hook", "failed"] {
      let lines = own.filter { $0.kind.name == kind }.map(\.line)
      #expect(lines.contains { $0.contains(ValueTree.redacted.json) }, "\(kind)")
    }
    let lines = text.split(separator: "\n").filter { $0.contains("s3cret") }
    // Other tests have secrets of their own, which they hide, too.
    #expect(lines.isEmpty, "\(lines.first ?? "")")
  }

  @Test("R3 D4 properties named to redact(_:) are not in a recording")
  func named() async {
    await #expect(processExitsWith: .success) { @MainActor in
      struct Login: Equatable, Sendable {
        var user = "ann"
        var password = "s3cret"
      }
      DebugStore.redact(\Login.password)
      let file = try RecordedFile()
      let store = Store(state: [Login()], name: "named")
      store.instruments.arranging.state = [Login(user: "bob", password: "s3cret-2"), Login()]
      file.recording.stop()
      let text = String(decoding: try Data(contentsOf: file.url), as: UTF8.self)
      guard text.contains("bob"), !text.contains("s3cret") else { fatalError(text) }
    }
  }
}
