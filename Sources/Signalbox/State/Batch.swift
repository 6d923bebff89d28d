/// A change that is not told yet.
@MainActor final class Write {
  let place: Place
  /// Whether the place counts as changed, or must be compared as its parts.
  let isCertain: Bool
  /// The value of before the batch; `nil` where the change counts whatever becomes of it.
  fileprivate(set) var before: Before?

  init(_ place: Place, isCertain: Bool = true, before: Before? = nil) {
    self.place = place
    self.isCertain = isCertain
    self.before = before
  }

  /// Whether the place counts as changed now that the batch has ended.
  var stands: Bool { isCertain && before?.isBack != true }

  fileprivate func covers(_ other: Place) -> Bool {
    place == other || !place.hasRange || (other.hasRange && place.extent.contains(other.extent))
  }
}

/// The value that a place had before a batch.
@MainActor class Before {
  /// Whether the place has that value again.
  var isBack: Bool { false }
  /// Puts that value into the place, and keeps the one that was there; a second time, the reverse.
  func exchange() {}
}

/// The changes inside the outermost `batch`, judged together when it ends.
///
/// Each place is noted once, with its value of before the batch; a wider place that is written to
/// later takes the narrower ones in, for which it goes back to what was before them.
@MainActor final class Batch {
  let writer: any Writer
  private(set) var writes: [Write] = []

  init(writer: any Writer) { self.writer = writer }

  func covers(_ place: Place) -> Bool { writes.contains { $0.covers(place) } }

  func note(_ write: Write) {
    if let wider = writes.first(where: { $0.covers(write.place) }) {
      // In place and not comparable: it counts, whatever was assigned before.
      if wider.place == write.place, write.isCertain, write.before == nil { wider.before = nil }
      return
    }
    writes.removeAll { write.covers($0.place) && $0.before != nil }
    writes.append(write)
  }

  /// Runs a body in the state of before the batch, as far as an extent is concerned.
  func rewound<Result>(within extent: Extent, _ body: () -> Result) -> Result {
    let inner = writes.filter {
      $0.before != nil && (!extent.hasRange || !$0.place.hasRange || extent.contains($0.place.extent))
    }
    for write in inner.reversed() { write.before?.exchange() }
    defer { for write in inner { write.before?.exchange() } }
    return body()
  }
}
