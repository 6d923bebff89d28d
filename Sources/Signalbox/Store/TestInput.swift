/// What a test did that stores cannot see the origin of, for recordings.
package enum TestInput {
  /// An endpoint answered a call.
  case answered(endpoint: String, call: Int, request: Any, with: Result<Any, any Error>)
  /// A clock was advanced; `nil` until nothing slept.
  case advanced(by: Duration?)
}

extension StoreListener {
  package func note(_ input: TestInput, of stores: [EventNumbers]) {}
}

extension StoreListening {
  /// Tells all listeners what a test does next.
  ///
  /// - Parameters:
  ///   - input: what the test does.
  ///   - stores: the stores of the test, by the numbers of their events.
  package static func note(
    _ input: @autoclosure () -> TestInput, of stores: @autoclosure () -> [EventNumbers]
  ) {
    for listener in all { listener.note(input(), of: stores()) }
  }
}
