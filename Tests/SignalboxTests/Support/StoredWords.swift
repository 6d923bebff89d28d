import Foundation
import SignalboxStorage

extension Storage {
  /// The word under a name, outside of `run()`; `nil` if there is none.
  func word(_ name: String) -> String? {
    (try? read(name)).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }
  }

  @concurrent func put(_ word: String, _ name: String) async throws {
    try await write(Data(word.utf8), to: name)
  }
}
