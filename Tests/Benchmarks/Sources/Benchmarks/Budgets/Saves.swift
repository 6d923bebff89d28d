import Foundation
import Signalbox
import SignalboxStorage

/// Measures changes, saves and restores of a saved property (P1, P3, P4).
@MainActor enum Saves {
  static let comparisons =
    sizes.map { size in
      Comparison("P4", "a change in an array of \(size.name)") {
        Sides(
          Subject("saved with autosave", changing(size, .saved)),
          beside: [
            Subject("observed by a sink", changing(size, .observed)).unlimited,
            Subject("unobserved", changing(size, .unobserved)).unlimited,
          ])
      }
    } + [
      Comparison("P4", "a change in a saved array") {
        Sides(
          Subject("of 10 MB", changing(sizes[1], .saved)),
          beside: [Subject("of 1 KB", changing(sizes[0], .saved)).atMost(3)])
      }
    ]
    + sizes.map { size in
      Comparison("P3", "an array of \(size.name) to a file") {
        Sides(
          Subject("flush", awaiting: flushing(size)),
          beside: [Subject("JSONEncoder and Data.write, not synced", writing(size)).unlimited])
      }
    }
    + sizes.map { size in
      Comparison("P1", "an array of \(size.name), restored") {
        Sides(
          Subject("restore", restoring(size)),
          beside: [Subject("JSONDecoder", reading(size)).unlimited])
      }
    }

  private struct Size {
    let name: String
    let array: [Int]

    /// Integers of 8 bytes, which have up to 7 digits in the file.
    init(_ name: String, _ count: Int) {
      self.name = name
      array = Array(0..<count)
    }
  }

  private static let sizes = [Size("1 KB", 128), Size("10 MB", 1_250_000)]

  private enum Kind { case saved, observed, unobserved }

  /// A store whose array is saved, observed or neither.
  private final class Rig: Hookable {
    enum Hook: CaseIterable { case only }

    let saved: SavedState<Items>
    private let kind: Kind
    private var handle: MutatingStore<Items, Never>?

    init(_ kind: Kind, in storage: any Storage) {
      self.kind = kind
      saved = SavedState<Items>("items", in: storage).property("items", \.items)
    }

    /// The pause is so long that no save begins by itself.
    func subscription(for hook: Hook, store: MutatingStore<Items, Never>) -> Subscription {
      handle = store
      return switch kind {
      case .saved: saved.autosave(store, after: .seconds(86_400), atMost: .seconds(86_400))
      case .observed: store.publisher.items.sink { blackHole($0.count) }
      case .unobserved: .empty
      }
    }

    func change() {
      guard let handle else { fatalError("the store has not connected its hook") }
      handle.items[0] &+= 1
    }
  }

  /// A folder that is removed with this object.
  private final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "benchmark-\(UUID())")

    init() {
      attempt {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      }
    }
    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private nonisolated static func attempt<R>(_ body: () throws -> R) -> R {
    do {
      return try body()
    } catch {
      fatalError("\(error)")
    }
  }

  private static func changing(_ size: Size, _ kind: Kind) -> @MainActor (Int) -> Void {
    let rig = Rig(kind, in: MemoryStorage())
    let store = Store(state: Items(items: size.array), hookable: rig)
    return { count in
      for _ in 0..<count { rig.change() }
      blackHole(store)
    }
  }

  /// Changes and saves, so that each save writes.
  private static func flushing(_ size: Size) -> @MainActor (Int) async -> Void {
    let folder = Folder()
    let rig = Rig(.saved, in: FileStorage(folder: folder.url))
    let store = Store(state: Items(items: size.array), hookable: rig)
    return { count in
      for _ in 0..<count {
        rig.change()
        do {
          try await rig.saved.flush()
        } catch {
          fatalError("\(error)")
        }
      }
      blackHole((store, folder))
    }
  }

  private static func writing(_ size: Size) -> @MainActor (Int) -> Void {
    let folder = Folder()
    return { count in
      for _ in 0..<count {
        attempt {
          let data = try JSONEncoder().encode(["items": size.array])
          try data.write(to: folder.url.appending(path: "items.json"), options: .atomic)
        }
      }
    }
  }

  private static func restoring(_ size: Size) -> @MainActor (Int) -> Void {
    let storage = MemoryStorage()
    let json = attempt { try JSONEncoder().encode(["items": size.array]) }
    storage["items"] = Data("// signalbox 1, version 1\n".utf8) + json
    return { count in
      for _ in 0..<count {
        var items = Items()
        let saved = SavedState<Items>("items", in: storage).property("items", \.items)
        precondition(saved.restore(into: &items) == .restored)
        blackHole(items)
      }
    }
  }

  private static func reading(_ size: Size) -> @MainActor (Int) -> Void {
    let json = attempt { try JSONEncoder().encode(["items": size.array]) }
    return { count in
      for _ in 0..<count {
        blackHole(attempt { try JSONDecoder().decode([String: [Int]].self, from: json) })
      }
    }
  }
}
