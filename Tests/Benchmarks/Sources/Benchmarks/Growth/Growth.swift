import Foundation

/// Shows how costs grow, in tables and plots.
@MainActor enum Growth {
  static let all = [
    observers, properties, combinations, subscribers, subscriptions, commits,
    waits, cancels, remains, depth, siblings, rows, live, explorations,
  ]

  /// Writes a table `NAME.md` and a plot `NAME.svg` for each curve.
  static func write(to folder: URL, only filter: String?) async {
    for curve in all where filter.map(curve.name.contains) ?? true {
      Benchmarks.progress("growth: \(curve.title)")
      let measured = await curve.measure()
      write(measured.table + "\n", to: folder.appending(path: "\(curve.name).md"))
      write(Plot(measured).svg, to: folder.appending(path: "\(curve.name).svg"))
    }
  }

  private static func write(_ text: String, to file: URL) {
    do {
      try Data(text.utf8).write(to: file)
    } catch {
      fatalError("\(file.path()) cannot be written: \(error)")
    }
  }
}
