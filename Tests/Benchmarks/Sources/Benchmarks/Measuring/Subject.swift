/// Work that can be done any number of times.
@MainActor struct Subject {
  let name: String
  /// Whether it stays on its thread, so that its allocations can be counted.
  let isSynchronous: Bool
  let run: @MainActor (Int) async -> Void

  init(_ name: String, _ run: @escaping @MainActor (Int) -> Void) {
    self.name = name
    self.run = run
    isSynchronous = true
  }

  init(_ name: String, awaiting run: @escaping @MainActor (Int) async -> Void) {
    self.name = name
    self.run = run
    isSynchronous = false
  }
}
