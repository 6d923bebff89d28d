package import Signalbox

/// The first value that comes once something has been done.
///
/// Gives up when the test is cancelled, so that a time limit ends what never comes.
@MainActor package func first<Value: Sendable>(
  of source: some SignalConvertible<Value>, after body: () -> Void
) async -> Value? {
  let first = Task.immediate { await source.signal.first() }
  body()
  return await withTaskCancellationHandler {
    await first.value
  } onCancel: {
    first.cancel()
  }
}
