/// The inboxes that may still send to the sinks of one owner, in the order in which they were added.
@MainActor struct InboxList {
  private struct WeakInbox {
    weak var inbox: (any AnyInbox)?
  }

  private var inboxes: [WeakInbox] = []

  /// The inboxes that still exist.
  var all: [any AnyInbox] { inboxes.compactMap(\.inbox) }

  /// Adds an inbox, unless it is in the list.
  mutating func add(_ inbox: any AnyInbox) {
    inboxes.removeAll { $0.inbox == nil }
    if !inboxes.contains(where: { $0.inbox === inbox }) { inboxes.append(WeakInbox(inbox: inbox)) }
  }
}
