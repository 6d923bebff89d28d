/// A list of subscribers, or of other elements, in the order in which they were added.
///
///     order    3    7    8    12
///     slot   [ A ][ – ][ C ][ D ]      B has cancelled, so its slot is empty
///
/// `slots` is sorted by order, and `add` keeps it so. A binary search therefore finds an element.
/// Empty slots are removed when nothing reads the list and at least half of its slots are empty.
struct OrderedList<Element> {
  private struct Slot {
    let order: UInt64
    var element: Element?
  }

  private var slots: [Slot] = []
  private var holes = 0
  private var readers = 0

  var isEmpty: Bool { slots.count == holes }

  /// The order of the last slot, which is at least the order of the last element.
  var lastOrder: UInt64 { slots.last?.order ?? 0 }

  // Not `\.element`, because generic code builds a key path anew each time.
  var elements: [Element] { slots.compactMap { $0.element } }

  /// Adds an element at the position of its order, which is usually the last.
  mutating func add(_ element: Element, order: UInt64) {
    let slot = Slot(order: order, element: element)
    guard lastOrder > order else { return slots.append(slot) }
    // User code has added elements since the order was taken. No reader has counted their slots,
    // because every reader that began since then has ended with that code.
    slots.insert(slot, at: slots.firstIndex { $0.order > order } ?? slots.count)
  }

  /// Empties a slot and returns its element, so that the caller can release it after the call.
  mutating func remove(order: UInt64) -> Element? {
    let index = slots.sortedIndex { $0.order < order }
    guard index < slots.count, slots[index].order == order else { return nil }
    guard let element = slots[index].element.take() else { return nil }
    holes += 1
    compactIfWorthwhile()
    return element
  }

  mutating func removeAll() -> [Element] {
    let elements = elements
    slots = []
    holes = 0
    return elements
  }

  fileprivate func element(at position: Int, upTo limit: UInt64) -> Element? {
    guard position < slots.count, slots[position].order <= limit else { return nil }
    return slots[position].element
  }

  /// Begins a reading, in which elements may come and go; returns the number of positions.
  fileprivate mutating func beginReading() -> Int {
    readers += 1
    return slots.count
  }

  @inline(__always) fileprivate mutating func endReading() {
    readers -= 1
    if holes > 0 { compactIfWorthwhile() }
  }

  @inline(never) private mutating func compactIfWorthwhile() {
    guard readers == 0, holes > 0, holes * 2 >= slots.count else { return }
    slots.removeAll { $0.element == nil }
    holes = 0
  }
}

/// An object that delivers to the elements of a list in their order.
@MainActor protocol Delivering: AnyObject {
  associatedtype Receiver
  var receivers: OrderedList<Receiver> { get set }
}

extension Delivering {
  /// Calls a body, which may add and remove, with each element up to the limit (S1, S3).
  ///
  /// Inlined, because generic code that is not specialised looks up metadata for each element.
  @inline(__always) func deliver(upTo limit: UInt64, _ body: (Receiver) -> Void) {
    let count = receivers.beginReading()
    for position in 0..<count {
      guard let receiver = receivers.element(at: position, upTo: limit) else { continue }
      body(receiver)
    }
    // Not in a `defer`, which is a generic function of its own that is not inlined.
    receivers.endReading()
  }
}
