/// The inboxes that may still send to the sinks of one owner, in the order in which they were added.
@MainActor struct InboxList {
  /// A weak reference to an inbox.
  private struct WeakInbox {
    let number: Int
    weak var inbox: (any AnyInbox)?
  }

  private var inboxes: [ObjectIdentifier: WeakInbox] = [:]
  private var lastNumber = 0
  /// The number of inboxes at which those that are gone are removed.
  private var limit = 16

  /// The inboxes that still exist.
  var all: [any AnyInbox] {
    inboxes.values.sorted { $0.number < $1.number }.compactMap(\.inbox)
  }

  /// Adds an inbox, unless it is in the list.
  mutating func add(_ inbox: any AnyInbox) {
    let id = ObjectIdentifier(inbox)
    if inboxes[id]?.inbox === inbox { return }
    if inboxes.count >= limit {
      inboxes = inboxes.filter { $0.value.inbox != nil }
      limit = max(16, inboxes.count * 2)
    }
    lastNumber += 1
    inboxes[id] = WeakInbox(number: lastNumber, inbox: inbox)
  }
}
