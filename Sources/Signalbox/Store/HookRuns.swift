/// Knows which events follow from hooks that observe the events of their own family (H6).
///
///     change 7 ──▶ hook fired 8 ──▶ change 9 ──▶ hook fired 10      7 leads to 8: [a], 9: [a]
///                  of a                          of b               and 10: [a, b]
///
/// A hook is known by the number of its first run.
@MainActor struct HookRuns {
  private var hooks: [Int: Set<Int>] = [:]
  /// The number of events after which older ones are forgotten.
  private static let limit = 10_000

  var isEmpty: Bool { hooks.isEmpty }

  func has(_ event: Int, followedFrom hook: Int) -> Bool { hooks[event]?.contains(hook) == true }

  mutating func add(_ event: Int, of hook: Int) { add(event, of: [hook]) }

  mutating func add(_ event: Int, causedBy cause: Int) {
    if let earlier = hooks[cause] { add(event, of: earlier) }
  }

  private mutating func add(_ event: Int, of earlier: Set<Int>) {
    hooks[event, default: []].formUnion(earlier)
    if hooks.count > 2 * Self.limit { hooks = hooks.filter { $0.key > event - Self.limit } }
  }
}
