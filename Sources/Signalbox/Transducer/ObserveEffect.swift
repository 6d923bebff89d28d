public import Observation

extension TransducerEffect {
  /// Sends an event for the current value of an observable object and for each change, until the
  /// object is released.
  ///
  ///     return .observe(id: "player") { env in env.player } event: { .moved(to: $0.position) }
  ///
  /// Only the properties that `event` reads are observed. Changes in quick succession may become
  /// one event, but the latest values always arrive. The object is not kept alive, and the work
  /// ends when the object is released.
  ///
  /// - Parameters:
  ///   - id: the name of the work within its store. `nil` means no name.
  ///   - overlap: what happens to running and queued work of the same name.
  ///   - object: returns the object, which must change on the main actor. If it returns `nil`, the
  ///     work ends at once.
  ///   - event: reads the object and returns the event.
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

/// Reads an observable object without keeping it alive.
@MainActor private final class Watched<Object: AnyObject & Observable & Sendable, Event: Sendable> {
  private weak var object: Object?
  private let event: @MainActor @Sendable (Object) -> Event

  nonisolated init(_ object: Object?, _ event: @escaping @MainActor @Sendable (Object) -> Event) {
    self.object = object
    self.event = event
  }

  /// Returns the event for the current value, `nil` if the object was released; `next` is called
  /// when a property that was read is about to change, or when the object is released.
  func event(next: @escaping @Sendable () -> Void) -> Event? {
    guard let object else { return nil }
    let release = OnRelease(next)
    return withObservationTracking {
      event(object)
    } onChange: {
      // The registrar keeps this closure and `release` until a change or the release of the object.
      _ = release
    }
  }
}

/// Calls a closure when it is released.
private final class OnRelease: Sendable {
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  deinit { body() }
}

extension Input {
  @MainActor fileprivate func take<Object>(of watched: Watched<Object, Event>) async {
    let (changes, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    var iterator = changes.makeAsyncIterator()
    while !Task.isCancelled {
      // A test store treats this work as idle from here until the object changes.
      let didEndWait = receiver.willListen()
      let next: @Sendable () -> Void = {
        if let didEndWait { MainQueue.run(didEndWait) }
        continuation.yield()
      }
      guard let event = watched.event(next: next) else {
        didEndWait?()
        return
      }
      receiver.take(event, from: origin)
      guard await iterator.next(isolation: MainActor.shared) != nil else { return }
    }
  }
}
