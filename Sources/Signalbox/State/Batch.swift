/// A change that is not told yet.
@MainActor final class Write {
  enum Verdict {
    /// It counts, whatever becomes of the value: a change in place, or a forced one.
    case counts
    /// It counts unless the value of before the batch is back; `nil` where a wider write knows.
    case compares(Before?)
    /// What counts is what has become of the parts, and of the place itself.
    case open
    /// What counts is what has become of the parts; the place itself has not changed.
    case parts

    var isOpen: Bool {
      if case .open = self { true } else { false }
    }
  }

  let place: Place
  fileprivate(set) var verdict: Verdict

  init(_ place: Place, _ verdict: Verdict = .counts) {
    self.place = place
    self.verdict = verdict
  }

  /// Whether the place counts as changed now that the batch has ended.
  var stands: Bool {
    switch verdict {
    case .counts: true
    case .compares(let before): before?.isBack != true
    case .open, .parts: false
    }
  }

  fileprivate var before: Before? {
    if case .compares(let before) = verdict { before } else { nil }
  }

  fileprivate var counts: Bool {
    if case .counts = verdict { true } else { false }
  }

  fileprivate func covers(_ other: Place) -> Bool {
    if case .parts = verdict { return false }
    // What may be anywhere has had all that is observed remembered, as it was before the batch.
    if !place.hasRange, other.hasRange { return true }
    return place == other || (other.hasRange && place.extent.contains(other.extent))
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
    if let same = writes.first(where: { $0.place == write.place }) {
      // Where a wider write knows, it is for that one to say what has become of this.
      let isKnown = write.before == nil && !write.verdict.isOpen
      if case .parts = same.verdict, !isKnown { same.verdict = write.verdict }
      if write.counts { same.verdict = .counts }
      return
    }
    guard write.counts || !covers(write.place) else { return }
    writes.removeAll { write.covers($0.place) && $0.before != nil }
    writes.append(write)
  }

  /// Runs a body in the state of before the batch, as far as an extent is concerned.
  func rewound<Result>(within extent: Extent, _ body: () -> Result) -> Result {
    let inner = writes.filter { write in
      guard write.before != nil, write.place.hasRange else { return false }
      return !extent.hasRange || extent.contains(write.place.extent)
    }
    for write in inner.reversed() { write.before?.exchange() }
    defer { for write in inner { write.before?.exchange() } }
    return body()
  }
}
