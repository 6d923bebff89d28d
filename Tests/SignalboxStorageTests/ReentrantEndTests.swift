import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// A value in a state that calls when it is released.
private final class Closer: Sendable, Equatable {
  let close: @Sendable () -> Void
  init(_ close: @escaping @Sendable () -> Void) { self.close = close }
  deinit { close() }
  static func == (one: Closer, other: Closer) -> Bool { one === other }
}

private struct Window: Equatable, Sendable {
  var draft = ""
  var closer: Closer?
}

private struct Windowing: Hookable {
  let saved: SavedState<Window>
  func subscription(for hook: NoteHook, store: MutatingStore<Window, Never>) -> Subscription {
    saved.autosave(store, clock: TestClock())
  }
}

@MainActor private final class Box { var store: Store<Window, Never>? }

/// Releases that a save causes, and in which a program does anything.
struct ReentrantEndTests {
  @Test("P8 a store that is released within the change of another one is no misuse")
  func deinitEndsStore() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let storage = MemoryStorage()
      let saved = SavedState<Window>("window", in: storage).property("draft", \.draft)
      var window = Window()
      saved.restore(into: &window)
      let box = Box()
      var first: Store<Window, Never>? = Store(
        state: Window(closer: Closer { MainActor.assumeIsolated { box.store = nil } }),
        hookable: Windowing(saved: saved))
      storage.isFailing = true
      first?.binder.draft.wrappedValue = "a"
      try? await saved.flush()
      first = nil
      _ = first
      try? await saved.flush()
      storage.isFailing = false
      saved.restore(into: &window)
      box.store = Store(state: Window(draft: "a"), hookable: Windowing(saved: saved))
      saved.restore(into: &window)
      let second = Store<Window, Never>(
        state: Window(draft: window.draft), hookable: Windowing(saved: saved))
      // The values of the first store are replaced here, and its state is released.
      second.binder.draft.wrappedValue = "ab"
      try await saved.flush()
      let text = storage["window"].map { String(decoding: $0, as: UTF8.self) }
      guard text?.contains("\"ab\"") == true else { fatalError("\(text ?? "nothing")") }
      guard box.store == nil else { fatalError("The state was not released.") }
    }
  }

  @Test("P5 P8 a migration that restores, and that ends and makes stores, is no misuse")
  func migrationCallsBack() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let storage = MemoryStorage()
      let windows = Windows()
      let saved = SavedState<Note>("note", version: 2, in: storage)
      saved.property("draft", \.draft).property("to", \.recipients)
      saved.migration(from: 1) { [unowned saved] values in
        var note = Note()
        guard case .unavailable = saved.restore(into: &note) else { fatalError("\(note)") }
        windows.open[1] = nil
        windows.open[2] = Store(
          state: note, interactor: BatchingEditor(saved: saved, clock: TestClock()))
        windows.open[2]?.send(.init(text: "second"))
        values.rename("text", to: "draft")
      }
      var note = Note()
      saved.restore(into: &note)
      windows.open[1] = Store(
        state: note, interactor: BatchingEditor(saved: saved, clock: TestClock()))
      windows.open[1]?.send(.init(text: "first"))
      storage["note"] = Data("// signalbox 1, version 1\n{\"text\": \"old\"}".utf8)
      guard saved.restore(into: &note) == .migrated(from: 1), note.draft == "old" else {
        fatalError("\(note)")
      }
      try await saved.flush()
      guard storage.restoredDraft == "second", storage.names.count == 3,
        storage.drafts.isSuperset(of: ["first", "second"])
      else { fatalError("\(storage.drafts)") }
    }
  }
}
