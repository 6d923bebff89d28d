public import Foundation
public import Signalbox

extension Signal where Value == FileChange {
  /// Makes a signal of what happens to a file.
  ///
  ///     Signal.changes(ofFile: settings).debounce(for: .milliseconds(100))
  ///       .assign(toAction: .reload, using: store)
  ///
  /// It watches the name. So it goes on when the file is replaced by rename, truncated, removed and
  /// made again, when a folder on its path goes away and comes back, and when a link on its path leads
  /// elsewhere or something is mounted over it (E6). The file need not exist. Writes through a hard
  /// link or to the file that a symbolic link leads to, and its removal and return, are changes.
  ///
  /// The watch begins with the first subscriber, and all subscribers of one signal share it: every
  /// change from then on is told, in order. There is no value for what was there before. One change
  /// of the contents may be told more than once, for example as a truncation and a write. If the
  /// system loses events, because thousands arrive at once, each watched file has `.changed`.
  /// If the system has no watch left, or a folder may not be read, the file is looked at once a
  /// second. Then, and on Apple platforms, changes that follow one another quickly may be told as
  /// one. The system does not tell what happens in `/proc` and `/sys`, what other computers do in a
  /// folder of the network, and what is written through memory that a file is mapped into.
  ///
  /// - Parameter url: the file. A URL that is not a file URL, or whose path is not UTF-8, traps with a
  ///   message. A relative path is resolved now.
  public static func changes(ofFile url: URL) -> Signal {
    let whole = url.absoluteURL.path(percentEncoded: false)
    guard url.isFileURL, !whole.isEmpty else {
      fatalError(
        "changes(ofFile:) needs a file URL in UTF-8, such as URL(filePath:), not \(url).")
    }
    let names = PathWalk.names(in: whole)
    // Without a slash at the end, which would lead the system from a link to its folder.
    let path = "/" + names.reversed().joined(separator: "/")
    return .arrivals { arrivals in
      let watch = FileWatch(path) { arrivals.post($0) }
      return { watch.end() }
    }
  }
}

/// What tells one state of a file from another.
struct FileStamp: Equatable {
  let device: UInt64
  let inode: UInt64
  let size: Int64
  let seconds: Int
  let nanoseconds: Int
}
