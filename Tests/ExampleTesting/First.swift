package import Signalbox

/// Returns the first value that arrives after an action.
///
/// Gives up when the test is cancelled, so that the time limit ends a wait without a value.
@MainActor package func first<Value: Sendable>(
  of source: some SignalConvertible<Value>, after body: () -> Void
) async -> Value? {
  let first = Task.atOnce { await source.signal.first() }
  body()
  return await withTaskCancellationHandler {
    await first.value
  } onCancel: {
    first.cancel()
  }
}
