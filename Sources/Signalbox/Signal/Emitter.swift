/// A source that delivers the values sent to it to all of its subscribers.
///
///     let incoming = Emitter<Message>()
///     let subscription = incoming.sink { print($0) }
///     incoming.send(message)     // on the main actor, delivered before this returns
///     incoming.post(message)     // from any thread, delivered soon and in order
///
/// An emitter that is released finishes after the values that were posted before (S11).
public final class Emitter<Value>: SignalConvertible, Sendable {
  private let source: Source<Value>
  private let inbox: Inbox<Value>

  /// Makes an emitter without subscribers.
  ///
  /// It may be called on any thread.
  public nonisolated init() {
    let source = Source<Value>()
    self.source = source
    inbox = Inbox { (message: Inbox<Value>.Message) in
      switch message {
      case .value(let value): source.send(value, in: Propagation.outsideContext)
      case .finish: source.finish()
      }
    }
  }

  deinit { inbox.close() }

  /// Delivers a value to all subscribers before it returns.
  ///
  /// Inside a delivery, the value waits until the current value has reached every subscriber (S5).
  /// Values that were posted before are delivered first. After `finish()`, the value is ignored.
  @MainActor public func send(_ value: Value) {
    inbox.drainIfNeeded()
    if TaskOrigin.isUsed {
      source.send(value, in: Propagation.currentContext)
    } else {
      source.send(value)
    }
  }

  /// Sends a value from any thread (S14).
  ///
  /// No value is lost, and the order of each thread is kept. Any number of posts need one hop to
  /// the main actor. The call never blocks. After `finish()`, the value is ignored.
  ///
  /// The value is delivered by a task that belongs to no poster, so sinks see neither the
  /// task-local values nor the priority of the code that posted. The exception is a `send()` or a
  /// `finish()` on the main actor, which itself delivers the values that were posted before.
  public nonisolated func post(_ value: Value) where Value: Sendable { inbox.post(value) }

  /// Finishes the signal for all subscribers, after the values that were posted before.
  ///
  /// On the main actor, it takes effect before it returns. On any other thread, it takes effect
  /// soon, after the values that the thread posted before (S14). Values that are sent or posted
  /// later are ignored.
  public nonisolated func finish() { inbox.finish() }

  /// The values as an event signal.
  ///
  /// The signal does not keep the emitter alive.
  @MainActor public var signal: Signal<Value> {
    Signal.direct { [source, inbox] subscriber in
      subscriber.attachment?.owner?.listens(to: inbox)
      return source.attach(subscriber)
    }
  }
}

extension Emitter where Value == Void {
  /// Notifies all subscribers, as `send(())` does.
  @MainActor public func send() { send(()) }
}
