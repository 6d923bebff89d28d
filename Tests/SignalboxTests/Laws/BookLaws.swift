import RandomPrograms
import Testing

@testable import Signalbox

/// Random programs that a book carries out without tasks and without a store.
///
/// Each body is carried out step by step by the program itself, so that thousands of programs take
/// a moment.
@Suite @MainActor struct BookLaws {
  @Test("A1 A2 A3 A4 A7 A8 law: a book starts, joins, queues and ends work as the policies say")
  func programs() {
    for seed in LawPrograms.seeds(500) {
      var author = WorkAuthor(
        seed: seed, overlaps: [.latest, .first, .queue, .join, .concurrent])
      var oracle = WorkOracle()
      let stage = BookStage()
      var steps: [WorkStep] = []
      while steps.count < 60 {
        let step = author.step(waiting: oracle.waiting.sorted())
        steps.append(step)
        oracle.take(step)
        stage.take(step)
        let difference = stage.difference(from: oracle)
        #expect(difference == nil, "seed \(seed): \(steps)")
        if difference != nil { return }
      }
      stage.book.close()
      #expect(stage.book.count == 0 && stage.unresumed == [], "seed \(seed): \(steps)")
    }
  }
}

/// Carries out the steps of a program with a book.
@MainActor private final class BookStage {
  let book = WorkBook { nil }
  private var works: [Int: PlainWork] = [:]
  /// The handles that are kept, because a caller through a handle may cancel the work.
  private var handles: [Int: ActionTask] = [:]
  private var awaited: Set<Int> = []
  /// How often the caller of each piece of work was resumed.
  private var resumed: [Int: Int] = [:]
  private var settled: Set<Int> = []
  private var log: [String] = []
  private var drops: [String] = []
  private var unhandled = 0

  func take(_ step: WorkStep) {
    switch step {
    case .outside(let act): perform(act, by: nil)
    case .awaited(let piece):
      awaited.insert(piece.number)
      begin(piece, by: nil)
    case .hook(let piece): begin(piece, by: nil)
    case .order(let number, let act): if let work = works[number] { perform(act, by: work) }
    }
  }

  fileprivate func perform(_ act: WorkAct, by writer: PlainWork?) {
    let isStale = writer?.isOver ?? false
    switch act {
    case .write: write("=", by: writer)
    case .begin(let piece):
      if isStale {
        drops.append(piece.isRun ? "run" : "action \(piece.number)")
        if piece.isKept { handles[piece.number] = makeHandle(to: .dropped, as: piece.number) }
      } else {
        begin(piece, by: writer)
      }
    case .cancel(let id):
      if isStale { drops.append("cancel") } else { book.cancel(WorkName(id), by: nil) }
    case .cancelHandle(let number): cancelHandle(number)
    case .cancelAll: book.cancelAll()
    case .end:
      write("-", by: writer)
      if let writer { book.hasReturned(writer, .success(())) }
    case .fail:
      guard let writer, !isStale else { return }
      book.hasThrown(writer, Refusal(), after: nil) {
        if let origin = writer.origin { log.append("\(origin)!") } else { unhandled += 1 }
      }
    }
  }

  private func write(_ mark: String, by writer: PlainWork?) {
    guard let writer else { return }
    if writer.isOver { drops.append("change") } else { log.append("\(writer.number)\(mark)") }
  }

  private func begin(_ piece: WorkPiece, by parent: PlainWork?) {
    let work = PlainWork(piece, parent: parent, on: self)
    works[piece.number] = work
    // Code gets the handle after the work has run to its first suspension.
    let handle = piece.isKept ? makeHandle(to: work, as: piece.number) : nil
    book.admit(work, overlap: piece.overlap) {}
    handles[piece.number] = handle
  }

  private func makeHandle(to work: Work, as number: Int) -> ActionTask {
    let waiters = work.makeWaiters()
    waiters.whenEnded { _ in self.resumed[number, default: 0] += 1 }
    waiters.whenSettled { self.settled.insert(number) }
    return ActionTask(work, in: book)
  }

  private func cancelHandle(_ number: Int) {
    guard let handle = handles[number] else { return }
    // A caller that awaits a dispatch cancels through its task.
    if awaited.contains(number), let work = handle.work {
      book.callerWasCancelled(work, by: nil)
    } else {
      handle.cancel()
    }
  }

  fileprivate func begun(_ work: PlainWork) {
    log.append("\(work.number)+")
    for act in work.first {
      perform(act, by: work)
      if act.isLast { return }
    }
  }

  /// The kept handles whose callers were not resumed exactly once.
  var unresumed: [Int] { handles.keys.filter { resumed[$0] != 1 }.sorted() }

  /// What differs from what the oracle says; `nil` if nothing does.
  func difference(from oracle: WorkOracle) -> String? {
    if log != oracle.log { return "log: \(log), expected \(oracle.log)" }
    if drops != oracle.drops { return "drops: \(drops), expected \(oracle.drops)" }
    if unhandled != oracle.unhandled { return "unhandled: \(unhandled)" }
    if book.count != oracle.runningCount { return "count: \(book.count)" }
    for id in WorkAuthor.ids where book.isRunning(WorkName(id)) != oracle.isRunning(id) {
      return "isRunning \(id)"
    }
    for (number, handle) in handles {
      let outcome = outcome(of: handle)
      let expected = oracle.outcomes[number]
      if outcome != expected { return "outcome of \(number): \(String(describing: outcome))" }
      if resumed[number] != (expected == nil ? nil : 1) { return "resumed \(number)" }
      if settled.contains(number) != oracle.isSettled(number) { return "settled \(number)" }
    }
    return nil
  }

  private func outcome(of handle: ActionTask) -> WorkOracle.Outcome? {
    switch handle.outcome {
    case .cancelled: .cancelled
    case .returned(.success): .ended
    case .returned(.failure): .failed
    case nil: nil
    }
  }
}

/// Work whose body the stage carries out.
private final class PlainWork: Work {
  let number: Int
  let first: [WorkAct]
  /// The action during which the work was started.
  let origin: Int?
  private unowned let stage: BookStage

  init(_ piece: WorkPiece, parent: PlainWork?, on stage: BookStage) {
    number = piece.number
    first = piece.first
    origin = piece.isRun ? parent?.origin : piece.number
    self.stage = stage
    super.init(name: piece.id.map { WorkName($0) }, parent: parent)
  }

  override func makeTask() -> Task<Void, any Error>? {
    if begin() { stage.begun(self) }
    return nil
  }
}
