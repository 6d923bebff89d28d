public import Foundation

extension Recording {
  /// Writes a page of a recording: one HTML file, which needs no network (R6).
  ///
  ///     try Recording.page(of: url, to: URL(filePath: "run.html"))
  ///
  /// The page shows the causes as a tree, work on a time line, and the state and what changed at
  /// each event. The recording may be in progress: call `flush()` before. It may be called on any
  /// thread. `signalbox-trace run.jsonl --page run.html` does the same.
  ///
  /// - Parameters:
  ///   - url: the recording.
  ///   - html: the page. It is readable by its owner only. A file in its place is overwritten,
  ///     unless it is the recording.
  /// - Throws: an error whose description says what is wrong, if the file is not a recording, cannot
  ///   be read, or the page cannot be written.
  public nonisolated static func page(of url: URL, to html: URL) throws {
    try TracePage.write(of: url, to: html)
  }
}
