enum StateSize {
  /// The size of a value in bytes, estimated from the first element of each list.
  static func estimate(of value: Any, depth: Int = 4) -> Int {
    if let text = value as? String { return 16 + text.utf8.count }
    let mirror = Mirror(reflecting: value)
    guard depth > 0, !mirror.children.isEmpty else { return 8 }
    switch mirror.displayStyle {
    case .collection, .set, .dictionary:
      let element = mirror.children.first.map { estimate(of: $0.value, depth: depth - 1) } ?? 0
      return 32 + mirror.children.count * element
    case .class: return 8
    default: return mirror.children.reduce(0) { $0 + estimate(of: $1.value, depth: depth - 1) }
    }
  }
}
