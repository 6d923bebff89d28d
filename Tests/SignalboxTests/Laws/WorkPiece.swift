import Signalbox

/// A numbered action or run in a random program.
struct WorkPiece: CancellableAction, Sendable {
  var number: Int
  var isRun = false
  var id: String?
  var overlap: Overlap
  /// What it does before it first suspends.
  ///
  /// Afterwards it asks the service for each next act.
  var first: [WorkAct] = []
  /// Whether its handle is kept, waited on in every way and possibly cancelled.
  var isKept = true

  var cancelIdentifier: String? { id }
}

/// An act of a piece of work, or of code outside.
indirect enum WorkAct: Sendable {
  case write
  case begin(WorkPiece)
  case cancel(id: String)
  /// Cancels through the kept handle or, for an awaited dispatch, through its task.
  case cancelHandle(Int)
  case cancelAll
  /// Returns from the body.
  case end
  /// Throws from the body.
  case fail

  var isLast: Bool {
    switch self {
    case .end, .fail: true
    default: false
    }
  }
}

/// A step of a random program.
enum WorkStep {
  case outside(WorkAct)
  /// Awaits `store.dispatch` in a separate task.
  case awaited(WorkPiece)
  /// Starts an action or a run in a hook.
  case hook(WorkPiece)
  /// Gives an order to a body that waits in the service, current or stale.
  case order(Int, WorkAct)
}

extension WorkPiece: CustomStringConvertible {
  var description: String {
    let does = first.isEmpty ? "" : " \(first)"
    let name = "\(isRun ? "run" : "action") \(number)\(isKept ? "" : ", dropped,")"
    return "\(name) \(id ?? "unnamed") \(overlap)\(does)"
  }
}

extension WorkStep: CustomStringConvertible {
  var description: String {
    switch self {
    case .outside(let act): "\(act)"
    case .awaited(let piece): "await \(piece)"
    case .hook(let piece): "hook: \(piece)"
    case .order(let number, let act): "\(number): \(act)"
    }
  }
}

extension WorkAct: CustomStringConvertible {
  var description: String {
    switch self {
    case .write: "write"
    case .begin(let piece): "begin(\(piece))"
    case .cancel(let id): "cancel \(id)"
    case .cancelHandle(let number): "cancel \(number)"
    case .cancelAll: "cancel all"
    case .end: "end"
    case .fail: "fail"
    }
  }
}
