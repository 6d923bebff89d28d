import Signalbox

/// A piece of work of a random program: an action or a run, under a number of its own.
struct WorkPiece: CancellableAction, Sendable {
  var number: Int
  var isRun = false
  var id: String?
  var overlap: Overlap
  /// What it does before it first suspends; then it asks the service what to do next, for ever.
  var first: [WorkAct] = []
  /// Whether somebody keeps its handle, waits on it in every way and may cancel it.
  var isKept = true

  var cancelIdentifier: String? { id }
}

/// What a piece of work does, or somebody outside.
indirect enum WorkAct: Sendable {
  case write
  case begin(WorkPiece)
  case cancel(id: String)
  /// By the handle that somebody keeps; for an awaited dispatch, by its task.
  case cancelHandle(Int)
  case cancelAll
  /// The body returns.
  case end
  /// The body throws.
  case fail

  var isLast: Bool {
    switch self {
    case .end, .fail: true
    default: false
    }
  }
}

/// One step of a random program.
enum WorkStep {
  case outside(WorkAct)
  /// A task of its own awaits `store.dispatch`.
  case awaited(WorkPiece)
  /// A hook begins an action or a run.
  case hook(WorkPiece)
  /// The service tells a body that waits there what to do next, whether it is current or not.
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
