import Signalbox

/// The expected state of all requests, according to A4, X4 and X5.
struct RequestOracle {
  enum Result: Equatable {
    /// The answer of the `request` that ended the chain.
    case answer(Int)
    /// The output of the last event.
    case output
    case cancelled, failed, endless, released
  }

  /// A request without an answer.
  private struct Call {
    /// The work that is cancelled with its caller.
    var own: Int
    var giver: Int
    /// The work whose body waits, or `nil` for a caller outside.
    let body: Int?
  }

  private var running: [Int] = []
  private var queued: [Int] = []
  private var leaders: [Int: Int] = [:]
  /// Work without a caller that is left to those that joined it.
  private var abandoned: Set<Int> = []
  private var pieces: [Int: RequestPiece] = [:]
  private var calls: [Int: Call] = [:]
  /// Running and queued work, in the order of arrival.
  private var admitted: [Int] = []
  /// Work whose waiting caller was cancelled, which is cancelled next in this order.
  private var orphans: [Int] = []
  private var isEnding = false

  private(set) var results: [Int: Result] = [:]
  /// The bodies that wait for an order, current or stale.
  private(set) var waiting: Set<Int> = []
  private(set) var unhandled = 0
  private(set) var drops = 0

  var runningCount: Int { running.count + queued.count }
  /// The unanswered requests whose caller is a separate task.
  var pendingOutside: [Int] { calls.filter { $0.value.body == nil }.map(\.key).sorted() }

  /// The bodies that only sleep and then start another piece.
  var sleeping: Set<Int> {
    waiting.filter { if case .debounce = pieces[$0]?.kind { true } else { false } }
  }

  func isRunning(_ id: String) -> Bool { !works(id).isEmpty }
  func isCurrent(_ number: Int) -> Bool { running.contains(number) }

  mutating func take(_ step: RequestStep) {
    switch step {
    case .request(let piece): request(piece, by: nil)
    case .send(let piece): admit(piece)
    case .cancelCaller(let number): cancelCall(number)
    case .cancel(let id): cancel(works(id))
    case .cancelAll: cancel(admitted.filter { running.contains($0) || queued.contains($0) })
    case .order(let number, let order):
      waiting.remove(number)
      switch order {
      case .end: if isCurrent(number) { hasReturned(number, failed: false) }
      case .fail: if isCurrent(number) { hasReturned(number, failed: true) }
      case .request(let piece): request(piece, by: number)
      }
    }
  }

  // MARK: - Calls

  private mutating func request(_ piece: RequestPiece, by body: Int?) {
    let number = piece.number
    // What stale work sends is dropped (X4).
    if let body, !isCurrent(body) {
      drops += 1
      return resume(number, body, .cancelled)
    }
    admit(piece)
    if !piece.answers { return resume(number, body, .output) }
    // The request may have superseded its own caller, and then answers the callers of that.
    if let body, !isCurrent(body) { return resume(number, body, .cancelled) }
    if let body, mustWait(number, for: body) {
      cancelOne(number)
      return resume(number, body, .endless)
    }
    if isOver(number) { return resume(number, body, .cancelled) }
    calls[number] = Call(own: number, giver: giver(number), body: body)
  }

  private mutating func resume(_ call: Int, _ body: Int?, _ result: Result) {
    results[call] = result
    if let body { waiting.insert(body) }
  }

  private mutating func resume(_ number: Int, _ result: Result) {
    if let call = calls.removeValue(forKey: number) { resume(number, call.body, result) }
  }

  private mutating func cancelCall(_ number: Int) {
    guard let call = calls[number] else { return }
    resume(number, .cancelled)
    cancelOne(call.own)
  }

  private func calls(to giver: Int) -> [Int] {
    calls.filter { $0.value.giver == giver }.map(\.key)
  }

  private mutating func answer(_ giver: Int, _ result: Result) {
    for call in calls(to: giver) { resume(call, result) }
  }

  /// The piece that answers the callers of a piece.
  private func giver(_ number: Int) -> Int {
    if let leader = leaders[number], pieces[leader]?.answers == true { leader } else { number }
  }

  private func mustWait(_ number: Int, for other: Int) -> Bool {
    var seen: Set<Int> = []
    var open = [number]
    while let next = open.popLast() {
      if next == other { return true }
      guard seen.insert(next).inserted else { continue }
      open += calls.values.filter { $0.body == next }.map(\.giver)
      if let leader = leaders[next] { open.append(leader) }
      if let index = queued.firstIndex(of: next), let id = pieces[next]?.name.id {
        open += running.filter { pieces[$0]?.name.id == id && cameBefore($0, next) }
        open += queued[..<index].filter { pieces[$0]?.name.id == id }
      }
    }
    return false
  }

  // MARK: - How work starts

  private mutating func admit(_ piece: RequestPiece) {
    let number = piece.number
    pieces[number] = piece
    admitted.append(number)
    let others = works(piece.name.id)
    switch piece.overlap {
    case _ where others.isEmpty: start(number)
    case .latest:
      running.append(number)
      cancel(others, for: piece)
      waiting.insert(number)
    case .first: break
    case .join:
      // A newcomer does not join work that only callers that joined it wait for.
      let running = self.running.last { others.contains($0) && !abandoned.contains($0) }
      let next = others.first { !isCurrent($0) && $0 == others.first && !abandoned.contains($0) }
      if let leader = running ?? next { leaders[number] = leader } else { start(number) }
    case .queue: queued.append(number)
    case .concurrent: start(number)
    }
  }

  private mutating func start(_ number: Int) {
    running.append(number)
    waiting.insert(number)
  }

  private mutating func startNext(_ number: Int) {
    guard let id = pieces[number]?.name.id, let next = works(id).first, !isCurrent(next) else {
      return
    }
    queued.removeAll { $0 == next }
    start(next)
  }

  /// Running and queued work of a name, in the order of arrival.
  private func works(_ id: String) -> [Int] {
    (running + queued).filter { pieces[$0]?.name.id == id }.sorted { cameBefore($0, $1) }
  }

  private func cameBefore(_ one: Int, _ other: Int) -> Bool {
    (admitted.firstIndex(of: one) ?? 0) < (admitted.firstIndex(of: other) ?? 0)
  }

  private func isOver(_ number: Int) -> Bool {
    !running.contains(number) && !queued.contains(number) && leaders[number] == nil
  }

  private func followers(_ leader: Int) -> [Int] {
    leaders.filter { $0.value == leader }.map(\.key)
  }

  // MARK: - How work ends

  private mutating func hasReturned(_ number: Int, failed: Bool) {
    guard let piece = pieces[number] else { return }
    running.removeAll { $0 == number }
    switch piece.kind {
    case _ where failed:
      if let retry = piece.retry.first {
        goOn(from: piece, to: retry, .output)
      } else {
        if calls(to: number).isEmpty { unhandled += 1 }
        answer(number, .failed)
      }
    case .run: break
    case .request: answer(number, .answer(number))
    case .debounce(let inner): goOn(from: piece, to: inner, .cancelled)
    }
    for follower in followers(number) {
      leaders[follower] = nil
      answer(follower, .cancelled)
    }
    startNext(number)
  }

  /// Moves the callers of a piece, including those that joined, to the piece that follows it.
  private mutating func goOn(from piece: RequestPiece, to next: RequestPiece, _ result: Result) {
    admit(next)
    guard piece.answers else { return }
    let (old, new) = (piece.number, next.number)
    if !next.answers { return answer(old, result) }
    if isOver(new) { return answer(old, .cancelled) }
    if mustWait(new, for: old) {
      cancelOne(new)
      return answer(old, .endless)
    }
    let giver = giver(new)
    for call in calls(to: old) {
      calls[call]?.giver = giver
      if calls[call]?.own == old { calls[call]?.own = new }
    }
    for follower in followers(old) where pieces[follower]?.answers == true {
      leaders[follower] = leaders[new] ?? new
    }
    if abandoned.contains(old), leaders[new] == nil { abandoned.insert(new) }
  }

  /// - Parameter successor: The work that superseded them.
  private mutating func cancel(_ numbers: [Int], for successor: RequestPiece? = nil) {
    running.removeAll { numbers.contains($0) }
    queued.removeAll { numbers.contains($0) }
    let over = numbers + numbers.flatMap { followers($0) }
    for number in over {
      leaders[number] = nil
      if let successor, successor.answers {
        for call in calls(to: number) { calls[call]?.giver = successor.number }
      } else {
        answer(number, .cancelled)
      }
    }
    for number in over {
      for (call, waiting) in calls where waiting.body == number {
        resume(call, .cancelled)
        orphans.append(waiting.own)
      }
    }
    if !isEnding { cancelOrphans() }
  }

  private mutating func cancelOrphans() {
    isEnding = true
    while !orphans.isEmpty { cancelOne(orphans.removeFirst()) }
    isEnding = false
  }

  private mutating func cancelOne(_ number: Int) {
    if abandoned.contains(number) { return }
    // This includes work that is about to continue with another request.
    if !followers(number).isEmpty {
      abandoned.insert(number)
    } else if let leader = leaders.removeValue(forKey: number) {
      answer(number, .cancelled)
      guard abandoned.contains(leader), followers(leader).isEmpty else { return }
      cancel([leader])
      startNext(leader)
    } else if !isOver(number) {
      cancel([number])
      startNext(number)
    }
  }
}
