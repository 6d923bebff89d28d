/// A sequence that suspends at most once, before its first value, and ignores cancellation.
struct CountdownSequence: AsyncSequence, Sendable {
  let start: Int
  let pulled: SharedCount?
  let moment: StoreMoment?

  init(from start: Int, _ pulled: SharedCount? = nil, after moment: StoreMoment? = nil) {
    self.start = start
    self.pulled = pulled
    self.moment = moment
  }

  struct Iterator: AsyncIteratorProtocol {
    var next: Int
    let pulled: SharedCount?
    var moment: StoreMoment?

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      if let moment {
        self.moment = nil
        await moment.arrival
      }
      guard next > 0 else { return nil }
      pulled?.increase()
      next -= 1
      return next + 1
    }

    mutating func next() async -> Int? { await next(isolation: nil) }
  }

  func makeAsyncIterator() -> Iterator { Iterator(next: start, pulled: pulled, moment: moment) }
}
