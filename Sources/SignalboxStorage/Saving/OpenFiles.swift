import Signalbox

/// The savers of this process, by file.
///
/// Shared by the process, because the system refuses the lock of a file to a second `SavedState` as
/// it does to another process. A saver lives, and keeps the lock, as long as a `SavedState`, a
/// hook, an attempt or the timer of the next attempt does.
@MainActor enum OpenFiles {
  private struct Weak { weak var saver: Saver? }

  private static var savers: [AnyHashable: Weak] = [:]
  /// The number of savers at which those that are gone are removed next.
  private static var limit = 16

  static func saver(_ name: String, in storage: any Storage) -> Saver {
    // In an exploration, each process has a target of its own.
    let storage = (storage as? any ForwardingStorage)?.target ?? storage
    let object = [AnyHashable(ObjectIdentifier(storage as AnyObject)), AnyHashable(name)]
    let file = (storage as? FileStorage)?.identity(of: name)
    let key = type(of: storage) is AnyClass ? AnyHashable(object) : file
    if let key, let saver = savers[key]?.saver { return saver }
    let saver = Saver(SavedFile(name: name, storage: storage))
    if savers.count >= limit {
      savers = savers.filter { $0.value.saver != nil }
      limit = 16 + 2 * savers.count
    }
    if let key { savers[key] = Weak(saver: saver) }
    return saver
  }
}
