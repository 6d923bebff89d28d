import Signalbox

/// The expected state of all work of a store, according to A1 to A8.
///
/// It keeps running work in order of start, queued work in order of arrival, which work joined
/// which, and the outcomes of ended work.
struct WorkOracle {
  enum Outcome { case ended, failed, cancelled }

  private var running: [Int] = []
  private var queued: [Int] = []
  private var leaders: [Int: Int] = [:]
  /// The outcomes for the callers.
  ///
  /// Work that others joined may have ended for its own caller.
  private(set) var outcomes: [Int: Outcome] = [:]

  private var pieces: [Int: WorkPiece] = [:]
  /// The numbers of running and queued work, in the order of arrival.
  private var admitted: [Int] = []
  private var children: [Int: [Int]] = [:]
  /// The action during which the work was started.
  private var origins: [Int: Int] = [:]
  /// The names whose queue is being started.
  private var starting: Set<String> = []

  /// The numbers of the handles that are kept.
  private(set) var handles: Set<Int> = []
  /// The bodies that wait in the service, current or stale.
  private(set) var waiting: Set<Int> = []
  private(set) var log: [String] = []
  private(set) var drops: [String] = []
  private(set) var unhandled = 0

  var runningCount: Int { running.count + queued.count }

  func isRunning(_ id: String) -> Bool { !works(id).isEmpty }

  /// Whether the work and everything that it started have ended, recursively (A2).
  func isSettled(_ number: Int) -> Bool {
    !running.contains(number) && !queued.contains(number) && leaders[number] == nil
      && (children[number] ?? []).allSatisfy { isSettled($0) }
  }

  mutating func take(_ step: WorkStep) {
    switch step {
    case .outside(let act): perform(act, by: nil)
    case .awaited(let piece): begin(piece, by: nil)
    case .hook(let piece): begin(piece, by: nil)
    case .order(let number, let act):
      waiting.remove(number)
      perform(act, by: number)
      if !act.isLast { waiting.insert(number) }
    }
  }

  private mutating func perform(_ act: WorkAct, by writer: Int?) {
    // What a stale writer does is dropped (A6). Any code may cancel through a handle.
    let isStale = writer.map { !running.contains($0) } ?? false
    switch act {
    case .write: write("=", by: writer)
    case .begin(let piece):
      if isStale {
        drops.append(piece.isRun ? "run" : "action \(piece.number)")
        outcomes[piece.number] = .cancelled
        if piece.isKept { handles.insert(piece.number) }
      } else {
        begin(piece, by: writer)
      }
    case .cancel(let id): if isStale { drops.append("cancel") } else { cancel(works(id)) }
    case .cancelHandle(let number): if handles.contains(number) { cancelOne(number) }
    case .cancelAll: cancel(running + queued)
    case .end:
      write("-", by: writer)
      if let writer, !isStale { hasReturned(writer, .ended) }
    case .fail:
      guard let writer, !isStale else { return }
      if let origin = origins[writer] { log.append("\(origin)!") } else { unhandled += 1 }
      hasReturned(writer, .failed)
    }
  }

  private mutating func write(_ mark: String, by writer: Int?) {
    guard let writer else { return }
    if running.contains(writer) { log.append("\(writer)\(mark)") } else { drops.append("change") }
  }

  // MARK: - How work starts

  private mutating func begin(_ piece: WorkPiece, by parent: Int?) {
    let number = piece.number
    pieces[number] = piece
    origins[number] = piece.isRun ? parent.flatMap { origins[$0] } : number
    if let parent { children[parent, default: []].append(number) }
    admit(piece)
    if piece.isKept { handles.insert(number) }
  }

  private mutating func admit(_ piece: WorkPiece) {
    let number = piece.number
    let others = piece.id.map { works($0) } ?? []
    switch piece.overlap {
    case _ where others.isEmpty: start(number)
    case .latest:
      cancel(others)
      start(number)
    case .first: outcomes[number] = .cancelled
    // Work that its own caller has cancelled continues for others, and new work does not join it.
    // Between two pieces of a queue, the next one counts as running.
    case .join:
      let joinable = others.filter { outcomes[$0] == nil }
      if let leader = joinable.last(where: { running.contains($0) }) {
        leaders[number] = leader
      } else if let next = next(piece.id), joinable.contains(next) {
        leaders[number] = next
      } else {
        start(number)
      }
    case .queue:
      queued.append(number)
      admitted.append(number)
    case .concurrent: start(number)
    }
  }

  private mutating func start(_ number: Int) {
    running.append(number)
    if !admitted.contains(number) { admitted.append(number) }
    log.append("\(number)+")
    for act in pieces[number]?.first ?? [] {
      perform(act, by: number)
      if act.isLast { return }
    }
    waiting.insert(number)
  }

  /// Starts the queued work one by one, so that the first part of each runs alone.
  private mutating func startNext(_ id: String?) {
    guard let id, starting.insert(id).inserted else { return }
    while let next = next(id) {
      queued.removeAll { $0 == next }
      start(next)
    }
    starting.remove(id)
  }

  /// The first queued work that has no other work of its name before it (A4).
  private func next(_ id: String?) -> Int? {
    let first = admitted.first {
      pieces[$0]?.id == id && (running.contains($0) || queued.contains($0))
    }
    return first.flatMap { queued.contains($0) ? $0 : nil }
  }

  /// All running and queued work of a name.
  private func works(_ id: String) -> [Int] {
    (running + queued).filter { pieces[$0]?.id == id }
  }

  // MARK: - How work ends

  private mutating func hasReturned(_ number: Int, _ outcome: Outcome) {
    running.removeAll { $0 == number }
    conclude(number, outcome)
    startNext(pieces[number]?.id)
  }

  private mutating func cancel(_ numbers: [Int]) {
    running.removeAll { numbers.contains($0) }
    queued.removeAll { numbers.contains($0) }
    for number in numbers { conclude(number, .cancelled) }
  }

  private mutating func cancelOne(_ number: Int) {
    guard outcomes[number] == nil else { return }
    if let leader = leaders.removeValue(forKey: number) {
      outcomes[number] = .cancelled
      // The work went on for those that joined it, and the last of them was cancelled.
      guard outcomes[leader] != nil, followers(leader).isEmpty else { return }
      cancel([leader])
      startNext(pieces[leader]?.id)
    } else if followers(number).isEmpty {
      cancel([number])
      startNext(pieces[number]?.id)
    } else {
      outcomes[number] = .cancelled
    }
  }

  private mutating func conclude(_ number: Int, _ outcome: Outcome) {
    if outcomes[number] == nil { outcomes[number] = outcome }
    for follower in followers(number) {
      leaders[follower] = nil
      outcomes[follower] = outcome
    }
  }

  private func followers(_ leader: Int) -> [Int] {
    leaders.filter { $0.value == leader }.map { $0.key }
  }
}
