/// A source that is fed by hand: values sent to it go to everyone who subscribed.
///
///     let incoming = Emitter<Message>()
///     let hook = incoming.sink { print($0) }
///     incoming.send(message)     // on the main actor: delivered before this returns
///     incoming.post(message)     // from any thread: in order, and soon
///
/// An emitter that is released finishes, after what was posted before (S11).
public final class Emitter<Value>: SignalConvertible, Sendable {
  private let source: Source<Value>
  private let inbox: Inbox<Value>

  /// Makes an emitter nobody listens to yet.
  ///
  /// From any thread.
  public nonisolated init() {
    let source = Source<Value>()
    self.source = source
    inbox = Inbox { (message: Inbox<Value>.Message) in
      switch message {
      case .value(let value): source.send(value)
      case .finish: source.finish()
      }
    }
  }

  deinit { inbox.close() }

  /// Sends a value to all who have subscribed, before it returns.
  ///
  /// From inside a delivery the value waits until the current one has reached everyone (S5). What
  /// was posted before goes first. After `finish()` the value is ignored.
  @MainActor public func send(_ value: Value) {
    inbox.drainIfNeeded()
    source.send(value)
  }

  /// Sends a value from any thread (S14).
  ///
  /// Nothing is lost, the order of each thread is kept, and any number of posts costs one hop to
  /// the main actor. It never waits.
  ///
  /// The value is delivered by a task that belongs to no poster. So sinks see neither the
  /// task-local values nor the priority of the code that posted. The exception is a `send()` or
  /// `finish()` on the main actor: it delivers what was posted before as a part of itself.
  public nonisolated func post(_ value: Value) where Value: Sendable { inbox.post(value) }

  /// Ends the signal for all subscribers, after what was posted before.
  ///
  /// On the main actor it takes effect before it returns. From any other thread it comes after what
  /// that thread has posted, and soon (A14). What is sent or posted after it is ignored.
  public nonisolated func finish() { inbox.finish() }

  /// The values, as an event signal.
  ///
  /// It does not keep the emitter alive.
  @MainActor public var signal: Signal<Value> {
    Signal.direct({ [source, inbox] in
      Propagation.owner?.listens(to: inbox)
      return source.attach($0)
    })
  }
}

extension Emitter where Value == Void {
  /// Tells all who have subscribed that it has happened.
  @MainActor public func send() { send(()) }
}
