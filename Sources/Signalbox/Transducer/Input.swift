/// The way into a transducer's store, from any thread.
///
///     let input = store.input(of: Search.self)
///     try input.post(.queryChanged("cat"))
///     let count = try await counter.request(.add(1))
///
/// It does not keep the store alive, nor its `Env`. What an effect sends by the input that it was
/// given counts as the effect's, and is dropped and reported once that was superseded or cancelled
/// (X4).
public struct Input<Event: Sendable, Output: Sendable>: Sendable {
  let receiver: any EventReceiver<Event, Output>
  /// The work on whose behalf it is used; `nil`: from outside.
  let origin: Work?

  /// Hands over an event and goes on.
  ///
  /// What one producer posts arrives in order; nothing is lost, and any number of posts costs one
  /// hop to the main actor (X5). `update` and what follows run with neither the task-local values nor
  /// the priority of the code that posted (S14).
  ///
  /// - Throws: `StoreReleased` when the store is gone.
  public func post(_ event: Event) throws { try receiver.post(event, from: origin) }

  /// Hands over an event and returns when `update` has dealt with it, and with what followed from
  /// it in the same dispatch; all that was posted before goes first.
  ///
  /// For who is on the main actor and cannot wait, such as a text field that is typed in, or
  /// `withAnimation`. When the store is gone it does nothing.
  @MainActor public func dispatch(_ event: Event) { receiver.dispatch(event, from: origin) }

  /// Hands over an event and returns when `update` has dealt with it, and with what followed from
  /// it in the same dispatch.
  ///
  /// - Throws: `StoreReleased` when the store is gone; `CancellationError` when the event was
  ///   dropped, since the effect that sends it was superseded or cancelled.
  public func send(_ event: Event) async throws { try await receiver.send(event, from: origin) }

  /// Hands over an event and returns the answer: the `Output` of the last event of the chain, or of
  /// the `request` that ends it (X5).
  ///
  /// It never hangs. Who requested what is superseded gets the answer of what came in its place.
  /// Cancelling the task that waits cancels the request; one that others have joined is left to
  /// them.
  ///
  /// - Throws: what the request throws; `CancellationError` if it was cancelled or ignored, or comes
  ///   from an effect that was; `EndlessWait` if it would wait for itself; `StoreReleased` when the
  ///   store is gone.
  public func request(_ event: Event) async throws -> Output {
    try await receiver.request(event, from: origin)
  }

  /// Hands over what a sequence gives, one by one, until the work that takes them is cancelled.
  @MainActor func take<S: AsyncSequence & Sendable>(all sequence: S) async throws
  where S.Element == Event {
    let isWanted: @MainActor () -> Bool = { !Task.isCancelled }
    // What only listens is not busy to a test.
    try await forEach(in: sequence, while: isWanted, willWait: receiver.willListen) {
      receiver.take($0, from: origin)
    }
  }
}

/// What an `Input` leads to.
@MainActor protocol EventReceiver<Event, Output>: AnyObject, Sendable {
  associatedtype Event: Sendable
  associatedtype Output: Sendable

  nonisolated func post(_ event: Event, from origin: Work?) throws
  func take(_ event: Event, from origin: Work?)
  func dispatch(_ event: Event, from origin: Work?)
  /// Somebody begins to wait for what comes from outside.
  ///
  /// - Returns: what to call when the wait is over.
  func willListen() -> (@MainActor () -> Void)?
  func send(_ event: Event, from origin: Work?) async throws
  func request(_ event: Event, from origin: Work?) async throws -> Output
}

/// The store that an event was meant for has been released.
public struct StoreReleased: Error, CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    """
    The store has been released, and takes no events any more. Keep it as long as something is to \
    reach it, or let this end whatever sends.
    """
  }
}
