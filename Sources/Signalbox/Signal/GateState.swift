/// Decides what a `SourceGate` does with what its source sends.
///
///     attaching ⇄ passing ─▶ backedUp        the source is being attached
///         └──────────┬──────────┘
///                attached                    its subscription is there
///
///     any of these ─▶ finishing ─▶ closed    a cancel leads to `closed` directly
///
/// It holds neither values nor subscribers. A value that passes reaches the subscriber at once. A
/// value that waits is delivered in its turn, in the order of all deliveries.
struct GateState {
  /// The stages of a gate.
  private enum Phase {
    /// The source is being attached, and its values pass, because the subscriber expects them.
    case attaching
    /// The source is being attached, and the subscriber is receiving one of its values.
    ///
    /// - Parameter isFollowed: whether the source has sent more values meanwhile, which wait.
    case passing(isFollowed: Bool)
    /// The source is being attached, and values wait. Later values must not overtake them.
    case backedUp
    /// The source is attached, and its values take part in the order of all deliveries.
    case attached
    /// The source has finished, and the finish waits for its turn.
    case finishing(isAttached: Bool)
    /// The subscriber is gone, because the source has finished or the subscriber has cancelled.
    case closed
  }

  /// What happens to a value or a finish of the source.
  enum Passage { case pass, wait, drop }

  /// What happens to the subscription of the source.
  enum Upstream { case keep, end }

  private var phase = Phase.attaching

  /// Whether the source may still send.
  var isOpen: Bool {
    switch phase {
    case .attaching, .passing, .backedUp, .attached: true
    case .finishing, .closed: false
    }
  }

  /// The source sends a value.
  ///
  /// After `.pass`, the caller must call `hasPassed` when the subscriber has received the value.
  mutating func send(isDuringDelivery: Bool) -> Passage {
    switch phase {
    case .attaching:
      phase = .passing(isFollowed: false)
      return .pass
    case .passing:
      phase = .passing(isFollowed: true)
      return .wait
    case .backedUp: return .wait
    case .attached: return isDuringDelivery ? .wait : .pass
    case .finishing, .closed: return .drop
    }
  }

  /// The subscriber has received a value that was passed to it.
  mutating func hasPassed() {
    switch phase {
    case .passing(let isFollowed): phase = isFollowed ? .backedUp : .attaching
    case .attaching, .backedUp, .attached, .finishing, .closed: break
    }
  }

  /// The source finishes.
  ///
  /// Unless the answer is `.drop`, the caller closes the gate: at once, or when its turn comes.
  mutating func finish() -> Passage {
    switch phase {
    case .attaching:
      phase = .finishing(isAttached: false)
      return .pass
    case .passing, .backedUp:
      phase = .finishing(isAttached: false)
      return .wait
    case .attached:
      phase = .finishing(isAttached: true)
      return .wait
    case .finishing, .closed: return .drop
    }
  }

  /// The source has been attached, and its subscription is there.
  mutating func attached() -> Upstream {
    switch phase {
    case .attaching, .passing, .backedUp: phase = .attached
    case .finishing: phase = .finishing(isAttached: true)
    case .closed: return .end
    case .attached: break
    }
    return .keep
  }

  /// The subscriber cancels, or the turn of the finish has come.
  mutating func close() -> Upstream {
    switch phase {
    case .attaching, .passing, .backedUp, .finishing(isAttached: false): phase = .closed
    case .attached, .finishing(isAttached: true):
      phase = .closed
      return .end
    case .closed: break
    }
    return .keep
  }
}
