import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// The machine loses power at every call of a save, and what was not synced is kept, lost or torn in
/// every combination.
@MainActor struct PowerLossTests {
  private static let folder = URL(filePath: "/f")
  private static let path = "/f/note.json"

  /// A program that saves some drafts, one after the other, and what it was told.
  private struct Run {
    let files: CrashingFiles
    var outcome = Restored.nothing
    /// The drafts that it has tried to save.
    var tried: [String] = []
    /// The newest draft whose `flush` has returned.
    var flushed: String?
  }

  private func run(_ start: [String: Data], _ files: CrashingFiles, _ drafts: [String]) async -> Run
  {
    var run = Run(files: files)
    let saved = SavedState.note(in: FileStorage(folder: Self.folder, files: files))
    var note = Note()
    run.outcome = saved.restore(into: &note)
    let store = Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
    for draft in drafts {
      store.binder.draft.wrappedValue = draft
      run.tried.append(draft)
      if (try? await saved.flush()) != nil { run.flushed = draft }
      if files.isDead { break }
    }
    return run
  }

  /// A folder after a power cut, and what the program was told before.
  private struct Aftermath: Hashable {
    let files: [String: Data]
    let tried: [String]
    let flushed: String?
  }

  /// Checks every folder that may be there after a run.
  ///
  /// - Parameter checked: what was checked after other runs with the same start.
  private func check(
    _ run: Run, startedWith start: [String: Data], draft old: String?,
    _ place: String, _ checked: inout Set<Aftermath>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for after in run.files.outcomes {
      let aftermath = Aftermath(files: after, tried: run.tried, flushed: run.flushed)
      guard checked.insert(aftermath).inserted else { continue }
      let files = CrashingFiles(after)
      let (outcome, note) = FileStorage(folder: Self.folder, files: files).restored()
      let allowed: [String?] =
        if let flushed = run.flushed, let index = run.tried.firstIndex(of: flushed) {
          Array(run.tried[index...])
        } else {
          [old] + run.tried
        }
      var found: String?
      switch outcome {
      case .restored, .migrated: found = note.draft
      case .nothing: found = nil
      case .newer(let version):
        #expect(start[Self.path].map { $0 == after[Self.path] } == true, "\(version)")
        continue
      case .setAside:
        // Only what was damaged at the start.
        #expect(old == nil && run.flushed == nil, "\(place)", sourceLocation: sourceLocation)
        found = nil
      case .unavailable, .busy:
        Issue.record("\(place): \(outcome)", sourceLocation: sourceLocation)
      }
      #expect(
        allowed.contains(found), "\(place): \(found ?? "nothing")", sourceLocation: sourceLocation)
      // What was there and could not be decoded is still somewhere (P5).
      if old == nil, let damaged = start[Self.path] {
        #expect(files.files.values.contains(damaged), "\(place)", sourceLocation: sourceLocation)
      }
    }
  }

  private static let starts: [(name: String, files: [String: Data], draft: String?)] = [
    ("nothing", [:], nil),
    ("a file", [path: file(draft: "old")], "old"),
    (
      "an older version",
      [path: Data("// signalbox 1, version 1\n{\"text\": \"old\"}".utf8)], "old"
    ),
    ("a damaged file", [path: Data("no".utf8)], nil),
    (
      "a damaged file, and what a killed process has left",
      [path: Data("no".utf8), path + ".new": Data("x".utf8)], nil
    ),
    ("a newer version", [path: file(draft: "old", version: 3)], nil),
  ]

  @Test(
    "P3 P5 P6 after a power cut at any call of one or two saves, a whole state is there",
    arguments: 0..<6, [["a"], ["a", "b"]])
  func powerCut(start: Int, drafts: [String]) async {
    let (name, start, old) = Self.starts[start]
    var calls = 0
    var isDead = true
    var checked: Set<Aftermath> = []
    while isDead {
      let run = await run(start, CrashingFiles(start, powerLostAfter: calls), drafts)
      check(
        run, startedWith: start, draft: old, "\(name), \(drafts.count) saves, call \(calls)",
        &checked)
      isDead = run.files.isDead
      calls += 1
    }
    #expect(calls > 6 || name == "a newer version")
  }

  @Test("P3 P5 a call that fails, and a power cut at any call after it, leave a whole state")
  func failureThenPowerCut() async {
    for (name, start, old) in Self.starts {
      var checked: Set<Aftermath> = []
      for failing in 0..<14 {
        // Until the power lasts longer than the program.
        for calls in (failing + 1)... {
          let files = CrashingFiles(start, powerLostAfter: calls, failing: [failing])
          let run = await run(start, files, ["a", "b"])
          check(
            run, startedWith: start, draft: old, "\(name), \(failing) fails, call \(calls)",
            &checked)
          if !files.isDead { break }
        }
      }
    }
  }

  private func check(
    _ run: Run, startedWith start: [String: Data], draft old: String?,
    _ place: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var checked: Set<Aftermath> = []
    check(run, startedWith: start, draft: old, place, &checked, sourceLocation: sourceLocation)
  }

  @Test("P3 a save during which the next change comes is followed by another")
  func overlapping() async throws {
    var hasLasted = false
    for calls in 0..<20 {
      let start = [Self.path: file(draft: "old")]
      let files = CrashingFiles(start, powerLostAfter: calls)
      let saved = SavedState.note(in: FileStorage(folder: Self.folder, files: files))
      var note = Note()
      saved.restore(into: &note)
      let store = Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
      var run = Run(files: files, tried: ["a", "b"])
      store.binder.draft.wrappedValue = "a"
      let first = Task.atOnce { try await saved.flush() }
      // The first save has taken its values, and may be anywhere.
      store.binder.draft.wrappedValue = "b"
      let second = Task.atOnce { try await saved.flush() }
      if (try? await first.value) != nil { run.flushed = "a" }
      if (try? await second.value) != nil { run.flushed = "b" }
      check(run, startedWith: start, draft: "old", "call \(calls)")
      if files.isDead { continue }
      #expect(run.flushed == "b")
      hasLasted = true
    }
    #expect(hasLasted)
  }

  @Test("P3 P5 an edit during the program survives a power cut at any call of the save after it")
  func edited() async throws {
    var calls = 0
    var isDead = true
    while isDead {
      let files = CrashingFiles([Self.path: file(draft: "old")], powerLostAfter: calls)
      let saved = SavedState.note(in: FileStorage(folder: Self.folder, files: files))
      var note = Note()
      saved.restore(into: &note)
      let edit = file(draft: "edited")
      files.edit(Self.path, edit)
      let store = Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
      store.binder.draft.wrappedValue = "a"
      let isSaved = (try? await saved.flush()) != nil
      for after in files.outcomes {
        let files = CrashingFiles(after)
        let (outcome, note) = FileStorage(folder: Self.folder, files: files).restored()
        #expect(outcome == .restored, "call \(calls)")
        #expect(note.draft == "a" || (!isSaved && note.draft == "edited"), "call \(calls)")
        #expect(after.values.contains(edit), "call \(calls)")
      }
      isDead = files.isDead
      #expect(isSaved == !isDead)
      calls += 1
    }
    #expect(calls > 10)
  }

  @Test("P3 flush syncs what a killed process has written and not synced")
  func notDurable() async throws {
    // The process was killed between the rename and the sync of the folder.
    let start = [Self.path: file(draft: "old")]
    let files = CrashingFiles(start, failing: [])
    let drafts = await run(start, files, ["a"])
    #expect(drafts.flushed == "a")
    let killed = CrashingFiles(start)
    let next = try killed.open(Self.path + ".new", toReplace: Self.path)
    try killed.write(file(draft: "a", to: "[\n\n  ]"), to: next)
    try killed.sync(next)
    try killed.rename(Self.path + ".new", to: Self.path)
    let run = await run(start, killed, ["a"])
    #expect(run.flushed == "a")
    check(run, startedWith: start, draft: "old", "after the kill")
  }

  @Test("P3 what a failed write has left is written again, because a later sync may claim too much")
  func doubtful() async throws {
    // Linux reports the loss of a write once. The next sync succeeds.
    let files = CrashingFiles([:], failing: [6])
    let saved = SavedState.note(in: FileStorage(folder: Self.folder, files: files))
    let store = Store(state: Note(draft: "a"), hookable: Editor(saved: saved, clock: TestClock()))
    await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(files.files[Self.path] != nil)
    let writes = files.writes
    try await saved.flush()
    #expect(files.writes > writes)
    withExtendedLifetime(store) {}
  }

  @Test("P3 P5 a damaged file that a killed process has moved survives a power cut at any call")
  func movedByAKilledProcess() async throws {
    let damaged = Data("no".utf8)
    let start = [Self.path: damaged]
    for calls in 1..<12 {
      let files = CrashingFiles(start, powerLostAfter: calls)
      try files.rename(Self.path, to: Self.path + ".damaged-1")
      let run = await run(start, files, ["a"])
      check(run, startedWith: start, draft: nil, "call \(calls)")
    }
  }

  @Test("P5 a save whose last step fails sets nothing of its own aside")
  func ownBytes() async throws {
    for failing in 0..<24 {
      let files = CrashingFiles([:], failing: [failing, failing + 1])
      let run = await run([:], files, ["a", "b", "c", "d", "e"])
      // At most two saves have failed, and not the last one.
      #expect(run.flushed == "e", "call \(failing) fails")
      #expect(FileStorage(folder: Self.folder, files: files).restored().note.draft == "e")
      #expect(!files.files.keys.contains { $0.contains("damaged") }, "call \(failing) fails")
    }
  }
}
