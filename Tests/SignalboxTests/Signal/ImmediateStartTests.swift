import Testing

@testable import Signalbox

/// Tests tasks that start at once, with `Task.immediate` and without it.
@MainActor struct ImmediateStartTests {
  enum Way: CaseIterable {
    case newest, older

    @MainActor func start<Success>(
      _ priority: TaskPriority? = nil, _ body: @escaping @MainActor () async -> Success
    ) -> Task<Success, Never> {
      switch self {
      case .newest: .atOnce(priority: priority, body)
      case .older: Task(priority: priority) { @ImmediateStart in await body() }
      }
    }
  }

  @TaskLocal private static var name = "none"

  @concurrent private static func isOnMainActor() async -> Bool { MainQueue.isCurrent }

  /// The stream ends only with a cancel.
  @concurrent private static func isCancelled(after stream: AsyncStream<Never>) async -> Bool {
    for await _ in stream {}
    return Task.isCancelled
  }

  private func step(_ text: String, in journal: Journal) async { journal.lines.append(text) }

  @Test("A1 a body runs on the main actor up to its first suspension", arguments: Way.allCases)
  func begins(way: Way) async {
    let (journal, gate) = (Journal(), StoreGate())
    let task = way.start {
      MainActor.preconditionIsolated()
      await self.step("body", in: journal)
      try? await gate.pass("door")
      MainActor.preconditionIsolated()
      await self.step("end", in: journal)
    }
    journal.lines.append("started")
    #expect(journal.lines == ["body", "started"])
    gate.open("door")
    await task.value
    #expect(journal.lines == ["body", "started", "end"])
  }

  @Test("A1 what is not isolated leaves the main actor", arguments: Way.allCases)
  func leaves(way: Way) async {
    let places = await way.start {
      var places = [await Self.isOnMainActor()]
      async let child = Self.isOnMainActor()
      places.append(await child)
      await withTaskGroup(of: Bool.self) { group in
        group.addTask { MainQueue.isCurrent }
        for await place in group { places.append(place) }
      }
      places.append(await Task.detached { MainQueue.isCurrent }.value)
      MainActor.preconditionIsolated()
      return places
    }.value
    #expect(places == [false, false, false, false])
  }

  @Test("A1 after a suspension, a call on the main actor does not wait", arguments: Way.allCases)
  func stays(way: Way) async {
    let journal = Journal()
    await way.start {
      _ = await Self.isOnMainActor()
      let other = Task { @MainActor in journal.lines.append("other") }
      await self.step("one", in: journal)
      await self.step("two", in: journal)
      await other.value
    }.value
    #expect(journal.lines == ["one", "two", "other"])
  }

  @Test("A1 task-local values are those of the maker", arguments: Way.allCases)
  func inheritsValues(way: Way) async {
    let task = Self.$name.withValue("inherited") {
      way.start {
        let first = Self.name
        _ = await Self.isOnMainActor()
        async let child = Self.name
        return [first, Self.name, await child]
      }
    }
    #expect(await task.value == ["inherited", "inherited", "inherited"])
  }

  @Test("A1 the priority is that which was asked for", arguments: Way.allCases)
  func priority(way: Way) async {
    #expect(await way.start(.low) { Task.currentPriority == Task.basePriority }.value)
    let base = way.start(.low) { Task.basePriority }
    #expect(await base.value == .low)
  }

  @Test("A1 a cancel reaches the body and its child tasks", arguments: Way.allCases)
  func cancels(way: Way) async {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    let task = way.start {
      let before = Task.isCancelled
      async let child = Self.isCancelled(after: stream)
      return [before, await child, Task.isCancelled]
    }
    task.cancel()
    #expect(await task.value == [false, true, true])
    withExtendedLifetime(continuation) {}
  }

  @Test("A1 tasks that start one another begin in their order", arguments: Way.allCases)
  func nests(way: Way) {
    let journal = Journal()
    nest(300, way, journal)
    #expect(journal.lines == (0..<300).reversed().map { "\($0)" } + (0..<300).map { "after \($0)" })
  }

  private func nest(_ depth: Int, _ way: Way, _ journal: Journal) {
    guard depth > 0 else { return }
    _ = way.start {
      journal.lines.append("\(depth - 1)")
      self.nest(depth - 1, way, journal)
      journal.lines.append("after \(depth - 1)")
    }
  }

  @Test("A1 a task and its body are released when it has ended", arguments: Way.allCases)
  func releases(way: Way) async {
    var token: Token? = Token()
    weak let held = token
    let task = way.start { [token] in
      _ = await Self.isOnMainActor()
      withExtendedLifetime(token) {}
    }
    token = nil
    #expect(held != nil)
    await task.value
    #expect(held == nil)
  }

  @Test("A1 an error is the result of its task, and a detached task inherits nothing")
  func throwing() async {
    struct Mistake: Error {}
    let task = Task<Int, any Error>.atOnce { throw Mistake() }
    await #expect(throws: Mistake.self) { try await task.value }
    let detached = Self.$name.withValue("inherited") { Task.atOnceDetached { Self.name } }
    #expect(await detached.value == "none")
  }
}

@MainActor private final class Journal { var lines: [String] = [] }
