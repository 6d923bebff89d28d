public import Observation

extension TransducerEffect {
  /// Makes an event of how an observable object is, now and after each change, until it goes away.
  ///
  ///     return .observe(id: "player") { env in env.player } event: { .moved(to: $0.position) }
  ///
  /// Only what the event is made of counts as a change. Changes that follow one another at once may
  /// become one event; the latest always arrives. The object is not kept alive, and the work ends
  /// with it.
  ///
  /// - Parameters:
  ///   - id: the name of the work, within its store; `nil`: none.
  ///   - overlap: what happens to work of the same name that is not done yet.
  ///   - object: what to observe; it has to change on the main actor. `nil`: there is nothing.
  ///   - event: reads from the object what the event is to say.
  public static func observe<Object: AnyObject & Observable & Sendable>(
    id: (any Hashable & Sendable)? = nil, overlap: Overlap = .latest,
    _ object: @escaping @MainActor @Sendable (Env) -> Object?,
    event: @escaping @MainActor @Sendable (Object) -> Event
  ) -> Self {
    Self(
      EffectStep(
        .observe,
        .work { input, env in
          await input.take(of: Watched(await object(env), event))
          return .nothing
        }, id: id, overlap: overlap))
  }
}

/// Looks at an object that may go away.
@MainActor private final class Watched<Object: AnyObject & Observable & Sendable, Event: Sendable> {
  private weak var object: Object?
  private let event: @MainActor @Sendable (Object) -> Event

  nonisolated init(_ object: Object?, _ event: @escaping @MainActor @Sendable (Object) -> Event) {
    self.object = object
    self.event = event
  }

  /// What the object says now; `nil` if it has gone.
  ///
  /// - Parameter next: is called when it will say something else, or goes.
  func event(next: @escaping @Sendable () -> Void) -> Event? {
    guard let object else { return nil }
    let release = OnRelease(next)
    return withObservationTracking {
      event(object)
    } onChange: {
      // Kept by the object's registrar until then, and no longer.
      _ = release
    }
  }
}

/// Tells of its own end.
private final class OnRelease: Sendable {
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  deinit { body() }
}

extension Input {
  /// Hands over what an object says, until it goes away.
  @MainActor fileprivate func take<Object>(of watched: Watched<Object, Event>) async {
    let (changes, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    var iterator = changes.makeAsyncIterator()
    while !Task.isCancelled {
      // What only listens is not busy to a test, and is as soon as there is something to be said.
      let goesOn = receiver.willListen()
      let next: @Sendable () -> Void = {
        if let goesOn { MainQueue.run(goesOn) }
        continuation.yield()
      }
      guard let event = watched.event(next: next) else {
        goesOn?()
        return
      }
      receiver.take(event, from: origin)
      guard await iterator.next(isolation: MainActor.shared) != nil else { return }
    }
  }
}
