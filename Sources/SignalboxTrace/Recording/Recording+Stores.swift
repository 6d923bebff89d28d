package import Foundation
package import Signalbox

extension Recording {
  /// Starts a recording of the stores that are added to it, for the test kit.
  package static func ofStores(in url: URL, program: String) throws -> Recording {
    try start(
      to: url, limit: 64_000_000, checkpoint: 262_144, mostWeight: 32_000_000, program: program,
      isRecorded: { _, _ in false })
  }

  package func add<State, Action>(_ store: Store<State, Action>) {
    listener.record(store.eventLog)
  }

  package func testHasFailed(_ text: String) { listener.testHasFailed(text) }
}
