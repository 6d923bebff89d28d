import Foundation
import Terminal

/// Records what other threads write, and lets a test wait for it.
///
/// `Patience` only ensures that a failing test ends.
package final class Log<Element: Equatable & Sendable>: @unchecked Sendable {
  // `Unchecked` because the compiler cannot see that `condition` guards every access.
  private let condition = NSCondition()
  private var elements: [Element] = []
  private var position = 0
  private var isFinished = false

  package init() {}

  package func append(_ new: some Sequence<Element>) {
    condition.withLock {
      elements += new
      condition.broadcast()
    }
  }

  package func finish() {
    condition.withLock {
      isFinished = true
      condition.broadcast()
    }
  }

  /// All elements so far.
  package var all: [Element] { condition.withLock { elements } }

  /// Waits for these elements in a row, after those of the previous wait.
  package func has(_ expected: [Element]) async -> Bool {
    await result { rest in rest.firstRange(of: expected).map { ((), $0.upperBound) } } != nil
  }

  package func has(_ expected: Element) async -> Bool { await has([expected]) }

  /// Waits for the next element that satisfies the condition.
  package func first(where isWanted: @escaping @Sendable (Element) -> Bool) async -> Element? {
    await result { rest in rest.firstIndex(where: isWanted).map { (rest[$0], $0 + 1) } }
  }

  /// Waits until all elements so far satisfy the condition.
  package func becomes(_ isWanted: @escaping @Sendable ([Element]) -> Bool) async -> Bool {
    await onThread { [self] in
      let patience = Patience()
      return condition.withLock {
        while !isWanted(elements) {
          if isFinished || !waitForChange(patience) { return false }
        }
        return true
      }
    }
  }

  /// Waits until no more elements can arrive.
  package func end() async -> Bool {
    await onThread { [self] in waitForEnd() }
  }

  @discardableResult
  package func waitForEnd() -> Bool {
    let patience = Patience()
    return condition.withLock {
      while !isFinished { guard waitForChange(patience) else { return false } }
      return true
    }
  }

  fileprivate func result<R: Sendable>(
    _ find: @escaping @Sendable (ArraySlice<Element>) -> (R, Int)?
  ) async -> R? {
    await onThread { [self] in
      let patience = Patience()
      return condition.withLock {
        while true {
          if let (found, end) = find(elements[position...]) {
            position = end
            return found
          }
          if isFinished || !waitForChange(patience) { return nil }
        }
      }
    }
  }

  private func waitForChange(_ patience: Patience) -> Bool {
    _ = condition.wait(until: Date(timeIntervalSinceNow: 1))
    return patience.isLeft
  }
}

extension Log<UInt8> {
  package func has(_ text: String) async -> Bool { await has(Array(text.utf8)) }

  /// The rest of the line at which the last expectation stopped.
  package func line() async -> String? {
    await result { rest in
      rest.firstIndex(of: UInt8(ascii: "\n")).map {
        (String(decoding: rest[..<$0], as: UTF8.self), $0 + 1)
      }
    }
  }

  package var text: String { String(decoding: all, as: UTF8.self) }
}
