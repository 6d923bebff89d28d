internal import Signalbox
internal import SignalboxInspection

/// Who changed a part of a state last, and the parts within it.
///
///     state ── rows ──┬── id 3 ── name      latest: 10, 10, 10
///                     └── id 4              latest: 12, 12, 12 as a whole
///
/// A part that changed with its surroundings as a whole may have no node of its own.
@MainActor final class WriterNode {
  /// The largest number of parts that are told apart.
  private static let most = 1_000

  /// The last event that replaced the part as a whole.
  private var whole: History.Event?
  /// The last event that changed something in it that has no name.
  private var unnamed: History.Event?
  /// The last event that changed one of the parts that are not told apart any more.
  private var evicted: History.Event?
  /// The last event that changed the part or something within it.
  private var latest: History.Event?
  private var parts: [ChangedPart.Step: WriterNode] = [:]

  func note(_ part: ChangedPart, by event: History.Event) {
    var node = self
    node.latest = event
    for step in part.path {
      node = node.part(step)
      node.latest = event
    }
    switch part.extent {
    case .whole: node.whole = event
    case .unnamed: node.unnamed = event
    case .order: break
    }
  }

  private func part(_ step: ChangedPart.Step) -> WriterNode {
    // The dictionary is elsewhere while ids are compared and released, which is user code.
    var parts = exchange(&self.parts, with: [:])
    if let known = parts[step] {
      self.parts = parts
      return known
    }
    var released: [ChangedPart.Step: WriterNode] = [:]
    if parts.count >= Self.most { released = forgetOldest(of: &parts) }
    let part = WriterNode()
    // One that was forgotten may have been the same part.
    part.evicted = evicted
    parts[step] = part
    self.parts = parts
    withExtendedLifetime(released) {}
    return part
  }

  /// Removes half of the parts, those that have not changed for the longest time.
  private func forgetOldest(
    of parts: inout [ChangedPart.Step: WriterNode]
  ) -> [ChangedPart.Step: WriterNode] {
    let all = parts
    let sorted = all.sorted { $0.value.order < $1.value.order }
    let oldest = sorted.prefix(all.count / 2)
    for (step, node) in oldest {
      parts[step] = nil
      if node.order > evicted?.order ?? 0 { evicted = node.latest }
    }
    return all
  }

  private var order: Int { latest?.order ?? 0 }

  func lastChange(of path: [ChangedPart.Step]) -> LastChange {
    var node = self
    var known: History.Event?
    var forgotten = 0
    for step in path {
      if let whole = node.whole, whole.order > known?.order ?? 0 { known = whole }
      forgotten = max(forgotten, node.unnamed?.order ?? 0)
      guard let part = node.parts[step] else {
        return Self.answer(known, max(forgotten, node.evicted?.order ?? 0))
      }
      node = part
    }
    if let latest = node.latest, latest.order > known?.order ?? 0 { known = latest }
    return Self.answer(known, forgotten)
  }

  /// `forgotten` is the order of the last event that may have changed the part.
  private static func answer(_ known: History.Event?, _ forgotten: Int) -> LastChange {
    // An event that has changed the part for certain may have changed unnamed parts, too.
    if forgotten > known?.order ?? 0 { return .forgotten }
    return known.map { .event($0) } ?? .none
  }
}
