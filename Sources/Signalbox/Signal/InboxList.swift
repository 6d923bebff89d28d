/// The inboxes that may still send to the sinks of one owner, in the order of their addition.
@MainActor struct InboxList {
  private struct WeakInbox {
    let number: Int
    weak var inbox: (any AnyInbox)?
  }

  private var inboxes: [ObjectIdentifier: WeakInbox] = [:]
  private var lastNumber = 0
  /// The number of inboxes at which those that are gone are removed.
  private var limit = 16

  var all: [any AnyInbox] {
    inboxes.values.sorted { $0.number < $1.number }.compactMap(\.inbox)
  }

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
