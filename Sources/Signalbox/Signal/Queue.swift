/// A first-in, first-out queue in an array.
///
///     head ──────────────┐
///     slots   [ – ][ – ][ C ][ D ]      A and B were taken
///
/// An `ArraySlice` would keep removed elements alive until its memory is replaced.
package struct Queue<Element> {
  private var slots: [Element?] = []
  private var head = 0

  package init() {}

  package var isEmpty: Bool { head == slots.count }

  package mutating func append(_ element: Element) { slots.append(element) }

  package mutating func popFirst() -> Element? {
    guard head < slots.count else {
      // Keeps the memory for the next elements, unless there is a lot of it.
      slots.removeAll(keepingCapacity: slots.count < 1_000)
      head = 0
      return nil
    }
    let element = slots[head].take()
    head += 1
    // Otherwise, a queue that is never empty would grow without limit.
    if head > 1_000, head * 2 > slots.count {
      slots.removeFirst(head)
      head = 0
    }
    return element
  }
}
