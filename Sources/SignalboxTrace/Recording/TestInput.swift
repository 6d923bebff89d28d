package import Signalbox

/// What a test did that stores cannot see the origin of, for recordings.
package enum TestInput {
  case answered(endpoint: String, call: Int, request: Any, with: Result<Any, any Error>)
  /// A clock was advanced; `nil` until nothing slept.
  case advanced(by: Duration?)

  /// Tells all recordings what a test does next.
  @MainActor package static func note(
    _ input: @autoclosure () -> TestInput, of stores: @autoclosure () -> [EventNumbers]
  ) {
    for case let listener as TraceListener in StoreListening.all {
      listener.note(input(), of: stores())
    }
  }
}
