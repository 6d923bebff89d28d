/// A list of work, sorted by a number that only grows.
///
///     number   3    7    8    12
///     work   [ – ][ A ][ – ][ B ]      removed when more than half of the slots are empty
///
/// The first and the last element are found at once, any other by binary search. The slot at `head`
/// and the last slot are empty only if the whole list is. Not a `Queue`, which removes only its
/// first element, nor an `OrderedList`, which would have to search for it.
@MainActor struct WorkList {
  private var slots: [(number: Int, work: Work?)] = []
  private var head = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var first: Work? { isEmpty ? nil : slots[head].work }
  var last: Work? { slots.last?.work }
  var all: [Work] { slots[head...].compactMap(\.work) }

  /// - Parameter number: must be greater than all numbers that were appended before.
  mutating func append(_ work: Work, number: Int) {
    slots.append((number, work))
    count += 1
  }

  /// - Returns: the removed work. The caller releases it after the list is consistent again.
  mutating func remove(number: Int) -> Work? {
    let index = slots[head...].sortedIndex { $0.number < number }
    guard index < slots.count, slots[index].number == number, let work = slots[index].work.take()
    else { return nil }
    count -= 1
    closeGaps()
    return work
  }

  private mutating func closeGaps() {
    guard count > 0 else {
      slots.removeAll()
      head = 0
      return
    }
    while slots[head].work == nil { head += 1 }
    while slots[slots.count - 1].work == nil { slots.removeLast() }
    guard slots.count > 16, count * 2 < slots.count else { return }
    slots.removeAll { $0.work == nil }
    head = 0
  }
}
