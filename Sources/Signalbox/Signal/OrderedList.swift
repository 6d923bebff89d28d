/// A list of subscribers, told in the order in which they came.
///
///     order    3    7    8    12
///     entry  [ A ][ – ][ C ][ D ]      B cancelled: its place stays empty until nobody iterates
///
/// Orders only grow, so a subscriber is found by binary search.
struct OrderedList<Element> {
  private struct Slot {
    let order: UInt64
    var element: Element?
  }

  private var places: [Slot] = []
  private var holes = 0
  private var readers = 0

  var isEmpty: Bool { places.count == holes }

  /// The order of the last who came; at least that of the last who is there.
  var lastOrder: UInt64 { places.last?.order ?? 0 }

  var elements: [Element] { places.compactMap(\.element) }

  mutating func append(_ element: Element, order: UInt64) {
    places.append(Slot(order: order, element: element))
  }

  /// Empties the place and returns what was there, so that it can be released outside.
  mutating func remove(order: UInt64) -> Element? {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle].order < order { low = middle + 1 } else { high = middle }
    }
    guard low < places.count, places[low].order == order else { return nil }
    guard let element = places[low].element.take() else { return nil }
    holes += 1
    compactIfWorthwhile()
    return element
  }

  mutating func removeAll() -> [Element] {
    let elements = places.compactMap(\.element)
    for index in places.indices { places[index].element = nil }
    holes = places.count
    compactIfWorthwhile()
    return elements
  }

  /// The element at a position, if it is there and came no later than the limit.
  func element(at position: Int, upTo limit: UInt64) -> Element? {
    guard position < places.count, places[position].order <= limit else { return nil }
    return places[position].element
  }

  /// The positions to go through.
  ///
  /// Elements may come and go meanwhile; `endReading` tidies up.
  mutating func beginReading() -> Int {
    readers += 1
    return places.count
  }

  mutating func endReading() {
    readers -= 1
    compactIfWorthwhile()
  }

  private mutating func compactIfWorthwhile() {
    guard readers == 0, holes > 0, holes * 2 >= places.count else { return }
    places.removeAll { $0.element == nil }
    holes = 0
  }
}
