/// Sends events to a transducer's store from any thread.
///
///     let input = store.input(of: Search.self)
///     try input.post(.queryChanged("cat"))
///     let count = try await counter.request(.add(1))
///
/// It keeps neither the store nor its `Env` alive. An effect receives an input of its own. Once the
/// effect has been superseded or cancelled, what it sends through that input is dropped and
/// reported (X4).
public struct Input<Event: Sendable, Output: Sendable>: Sendable {
  let receiver: any EventReceiver<Event, Output>
  /// The work that sends through this input; `nil` for code outside of the store.
  let origin: Work?

  /// Queues an event and returns without waiting for it.
  ///
  /// The events of one producer arrive in order, and none is lost. Any number of posts costs one
  /// hop to the main actor (X5). `update` and everything that follows run with neither the
  /// task-local values nor the priority of the code that posted (S14).
  ///
  /// - Throws: `StoreReleased` if the store was released.
  public func post(_ event: Event) throws { try receiver.post(event, from: origin) }

  /// Sends an event and returns when `update` has handled it and everything that follows from it in
  /// the same dispatch.
  ///
  /// Events that were posted before are handled first. While a posted event is handled, these are only
  /// the events that were posted since it began (X5). Use it on the main actor where the caller cannot
  /// wait, as in `withAnimation` or when the user types into a text field. It does nothing if the store
  /// was released.
  @MainActor public func dispatch(_ event: Event) { receiver.dispatch(event, from: origin) }

  /// Sends an event and returns when `update` has handled it and everything that follows from it in
  /// the same dispatch.
  ///
  /// - Throws: `StoreReleased` if the store was released. `CancellationError` if the event was
  ///   dropped because the effect that sends it was superseded or cancelled.
  public func send(_ event: Event) async throws { try await receiver.send(event, from: origin) }

  /// Sends an event and returns the `Output` of the last event of the chain or of the `request`
  /// that ends the chain (X5).
  ///
  /// A request never hangs. If it is superseded, its caller receives the answer of the work that
  /// replaced it. Cancelling the waiting task cancels the request, but a request that others have
  /// joined is left to them.
  ///
  /// - Throws: the error of the request. `CancellationError` if the request, or the effect that
  ///   makes it, was cancelled or ignored. `EndlessWait` if the request would wait for itself.
  ///   `StoreReleased` if the store was released.
  public func request(_ event: Event) async throws -> Output {
    try await receiver.request(event, from: origin)
  }

  /// Sends the elements of a sequence one by one, until the work that takes them is cancelled.
  @MainActor func take<S: AsyncSequence & Sendable>(all sequence: S) async throws
  where S.Element == Event {
    let isWanted: @MainActor () -> Bool = { !Task.isCancelled }
    // `willListen` makes a test store treat work that only waits for an element as idle.
    try await forEach(in: sequence, while: isWanted, willWait: receiver.willListen) {
      receiver.take($0, from: origin)
    }
  }
}

/// Receives the events that an `Input` sends.
@MainActor protocol EventReceiver<Event, Output>: AnyObject, Sendable {
  associatedtype Event: Sendable
  associatedtype Output: Sendable

  nonisolated func post(_ event: Event, from origin: Work?) throws
  func take(_ event: Event, from origin: Work?)
  func dispatch(_ event: Event, from origin: Work?)
  /// Called when work starts to wait for a value from outside; returns what to call at the end.
  func willListen() -> (@MainActor () -> Void)?
  func send(_ event: Event, from origin: Work?) async throws
  func request(_ event: Event, from origin: Work?) async throws -> Output
}

/// The error for an event that was sent to a released store, or to a child whose state is gone.
public struct StoreReleased: Error, CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    """
    The store was released or, if it is a child, its state is gone, so it receives no more events. \
    Keep the store and the state as long as events are to reach it, or let this error end the code \
    that sends them.
    """
  }
}
