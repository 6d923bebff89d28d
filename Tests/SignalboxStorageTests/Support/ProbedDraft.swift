import Foundation
import Signalbox
import SignalboxStorage
import Testing

@testable import StorageProbe

/// The drafts that a `StorageProbe` has saved.
@MainActor enum ProbedDraft {
  private struct State: Sendable {
    var draft = Draft(0)
  }

  /// The number of the stored draft, after a check that it is whole.
  static func stored(in folder: String) throws -> Int {
    var state = State()
    let saved = SavedState<State>("probe", in: FileStorage(folder: URL(filePath: folder)))
      .property("draft", \.draft)
    let outcome = saved.restore(into: &state)
    #expect([.restored, .nothing].contains(outcome), "\(outcome)")
    let number = try #require(Int(state.draft.number))
    #expect(state.draft == Draft(number))
    return number
  }

  /// The number of the draft that was flushed last, or 0.
  static func newest(in output: String) -> Int {
    output.split(separator: "\n").last { $0.hasPrefix("flushed") }
      .flatMap { Int($0.dropFirst("flushed ".count)) } ?? 0
  }
}
