/// Learns which subscribers the deliveries of a task reach.
@MainActor package protocol DeliveryTracker: AnyObject, Sendable {
  /// Called when a value is about to reach a subscriber without an owner.
  func reachesSubscriber()
  /// Called when a subscription to an event signal begins or ends.
  func subscriptionsChange()
}

/// Tells trackers about deliveries.
package enum DeliveryTracking {
  /// The tracker of what the current task does, in an exploration of the orders of a test.
  @TaskLocal package static var tracker: (any DeliveryTracker)?
  /// The number of trackers that want to know.
  ///
  /// It is usually zero, and then no delivery looks for a task-local value.
  @MainActor @safe @exclusivity(unchecked) package static var trackers = 0

  @MainActor static var isOn: Bool { trackers > 0 }

  /// Notes that a value is about to reach a subscriber.
  @MainActor static func reaches(_ owner: (any SinkOwner)?) {
    if let owner { owner.willReceive() } else { tracker?.reachesSubscriber() }
  }

  @MainActor static func subscriptionsChange() { tracker?.subscriptionsChange() }
}
