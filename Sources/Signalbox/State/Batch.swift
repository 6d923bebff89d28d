/// A change that is not told yet.
@MainActor final class Write {
  let place: Place
  /// Whether the place counts as changed, or must be compared as its parts.
  let isCertain: Bool
  /// Whether the value of before the batch is back; `nil` where that cannot be said.
  fileprivate(set) var isUndone: (() -> Bool)?

  init(place: Place, isCertain: Bool = true, isUndone: (() -> Bool)? = nil) {
    self.place = place
    self.isCertain = isCertain
    self.isUndone = isUndone
  }
}

/// The changes inside the outermost `batch`.
@MainActor final class Batch {
  let writer: any Writer
  private(set) var writes: [Write] = []

  init(writer: any Writer) { self.writer = writer }

  func note(_ write: Write) {
    guard let earlier = writes.first(where: { $0.place == write.place }) else {
      writes.append(write)
      return
    }
    // The first one knows the value of before the batch; one that cannot compare settles it.
    if write.isUndone == nil { earlier.isUndone = nil }
  }
}
