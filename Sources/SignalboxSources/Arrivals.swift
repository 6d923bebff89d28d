import Signalbox

extension Signal where Value: Sendable {
  /// Makes a signal of what a source of the system sends to an emitter, shared by all subscribers.
  ///
  /// - Parameter begin: begins with the first subscriber, and returns what is called after the last.
  static func arrivals(
    _ begin: @escaping @MainActor (_ arrivals: Emitter<Value>) -> @MainActor () -> Void
  ) -> Signal {
    Signal { subscriber in
      let arrivals = Emitter<Value>()
      let subscription = arrivals.sink { subscriber.receive($0) }
      let end = begin(arrivals)
      return Subscription {
        end()
        subscription.cancel()
      }
    }
    .share()
  }
}
