import RandomPrograms
import Testing

@testable import Signalbox

/// Random programs of paths against an oracle that keeps a list of screens.
@MainActor struct ScreenLawTests {
  /// A screen that should live, with the handle that was given out for it.
  @MainActor private final class Screen {
    let key: String
    var value: MailScreen
    let handle: AnyObject
    init(_ key: String, _ value: MailScreen, _ handle: AnyObject) {
      (self.key, self.value, self.handle) = (key, value, handle)
    }
  }

  private static func key(_ screen: MailScreen, at index: Int) -> String? {
    switch screen {
    case .mailbox: "\(index) mailbox"
    case .draft: "\(index) draft"
    case .message(let message): "\(index) message \(message.id)"
    case .about: nil
    }
  }

  private static func made(_ random: inout SeededRandom) -> MailScreen {
    let title = String(repeating: "x", count: random.below(3))
    return switch random.below(4) {
    case 0: .mailbox(MailboxScreen(title: title, length: title.count))
    case 1: .draft(MailboxScreen(title: title, length: title.count))
    case 2: .message(MessageScreen(id: random.below(2), text: title, length: title.count))
    default: .about
    }
  }

  private static func changed(_ path: [MailScreen], _ random: inout SeededRandom) -> [MailScreen] {
    var path = path
    switch random.below(6) {
    case 0: path.append(made(&random))
    case 1: _ = path.popLast()
    case 2: if !path.isEmpty { path[random.below(path.count)] = made(&random) }
    case 3: if !path.isEmpty { path.remove(at: random.below(path.count)) }
    case 4: path.insert(made(&random), at: random.below(path.count + 1))
    default: path = (0..<random.below(4)).map { _ in made(&random) }
    }
    return path
  }

  @Test(
    "N2 N3 Screens live as long as their place in the path says", arguments: LawPrograms.seeds(300))
  func law(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let journal = ScreenJournal()
    let store = Store(state: MailState(), interactor: MailFeature(journal: journal))
    let parent = store.instruments.arranging
    var live: [Screen] = []
    var gone: [Screen] = []

    func handle(_ index: Int) -> AnyObject? {
      if let box = store.child(\.path, at: index, MailboxFeature.self) { return box }
      return store.child(\.path, at: index, MessageFeature.self)
    }
    func content(_ screen: Screen) -> MailScreen? {
      if let box = screen.handle as? Store<MailboxScreen, MailboxAction> {
        return screen.key.hasSuffix("draft") ? .draft(box.state) : .mailbox(box.state)
      }
      return (screen.handle as? Store<MessageScreen, String>).map { .message($0.state) }
    }
    for _ in 0..<40 {
      switch random.below(4) {
      case 0 where !store.path.isEmpty:
        let index = random.below(store.path.count)
        let title = String(repeating: "y", count: random.below(3))
        store.child(\.path, at: index, MailboxFeature.self)?.dispatch(.rename(title))
        store.child(\.path, at: index, MessageFeature.self)?.dispatch(title)
      case 1:
        let paths = (0..<1 + random.below(4)).reduce(into: [store.path]) { paths, _ in
          paths.append(Self.changed(paths[paths.count - 1], &random))
        }
        // A screen that the batch removes keeps what it was before (C6).
        parent.batch { for path in paths.dropFirst() { parent.path = path } }
      default: parent.path = Self.changed(store.path, &random)
      }
      let path = parent.state.path
      var next: [Screen] = []
      for (index, value) in path.enumerated() {
        guard let key = Self.key(value, at: index) else {
          #expect(handle(index) == nil)
          continue
        }
        let found = try #require(handle(index))
        let same = live.first { $0.key == key }
        let isNew = !(live + gone).contains { $0.handle === found }
        #expect(same.map { $0.handle === found } ?? isNew, "seed \(seed)")
        let screen = same ?? Screen(key, value, found)
        screen.value = value
        next.append(screen)
        #expect(content(screen) == value, "seed \(seed)")
      }
      gone += live.filter { screen in !next.contains { $0 === screen } }
      live = next
      #expect(journal.live == live.count, "seed \(seed)")
      for screen in gone { #expect(content(screen) == screen.value, "seed \(seed)") }
    }
  }
}
