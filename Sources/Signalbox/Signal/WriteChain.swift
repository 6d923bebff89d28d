/// A link in the chain of writes that led to a delivery, for the report of a loop (S17).
@MainActor final class WriteChain {
  private let parent: WriteChain?
  // A closure, because finding the place of a writer takes long.
  private let writer: @MainActor () -> String
  private let path: AnyKeyPath

  init(parent: WriteChain?, writer: @escaping @MainActor () -> String, path: AnyKeyPath) {
    self.parent = parent
    self.writer = writer
    self.path = path
  }

  /// The property that was written: `count` for `\Room.count`.
  private var property: Substring { "\(path)".split(separator: ".", maxSplits: 1).last ?? "" }

  /// The writes that take part in the loop, each once, in the order in which they first occurred.
  ///
  ///     chain  A B C D C E D C F        loop  C D E, because each of them leads back to itself
  ///
  /// `A` and `B` only led into the loop. `F` follows from it and has not led to another write yet.
  /// If no write occurs twice, the result is all writes, because a loop that branches is stopped
  /// early.
  var loop: [String] {
    var steps: [String] = []
    var link: WriteChain? = self
    while let current = link {
      steps.append("\(current.writer()) wrote \(current.property)")
      link = current.parent
    }
    steps.reverse()
    var firsts: [String: Int] = [:]
    for (index, step) in steps.enumerated() where firsts[step] == nil { firsts[step] = index }
    // The loop ends at the last repeated write, and begins at the earliest first write within it.
    let last = steps.indices.last { firsts[steps[$0]] != $0 }
    guard let last else { return steps }
    var start = last
    var index = last
    while index >= start {
      start = min(start, firsts[steps[index]] ?? index)
      index -= 1
    }
    return (start...last).filter { firsts[steps[$0]] == $0 }.map { steps[$0] }
  }
}
