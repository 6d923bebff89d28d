import Foundation

/// One row of the table of budgets.
struct Row {
  let budget: String
  let work: String
  let ours: String
  let beside: String
  let ratio: String
  let wanted: String
  /// Whether the budget is met.
  ///
  /// `nil` if there is no budget.
  let isMet: Bool?

  static let header = [
    "", "work", "Signalbox", "compared with", "ratio (half of all rounds)", "budget", "met",
  ]

  var cells: [String] {
    [budget, work, ours, beside, ratio, wanted, isMet.map { $0 ? "yes" : "NO" } ?? ""]
  }
}

/// Formats cells as a table, in plain text or in Markdown.
enum Table {
  static func markdown(_ header: [String], _ rows: [[String]]) -> String {
    let lines = [header, header.map { _ in "---" }] + rows
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  static func text(_ header: [String], _ rows: [[String]]) -> String {
    let all = [header] + rows
    let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { cells in
      let padded = zip(cells, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      let line = padded.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

/// Formats numbers and times.
enum Format {
  /// A time in nanoseconds, with three significant digits and a unit.
  static func time(_ nanoseconds: Double) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    let (scale, name) = units.first { nanoseconds >= $0.0 } ?? (1, "ns")
    return "\(number(nanoseconds / scale)) \(name)"
  }

  /// A number with three significant digits.
  static func number(_ number: Double) -> String {
    if number == number.rounded(), abs(number) < 1e6 { return String(Int(number)) }
    let digits = number == 0 ? 0 : 2 - Int(log10(abs(number)).rounded(.down))
    return String(format: "%.\(max(0, digits))f", number)
  }

  /// A count with a comma before the thousands.
  static func count(_ count: Int) -> String {
    count < 1_000 ? "\(count)" : "\(count / 1_000)," + String(format: "%03d", count % 1_000)
  }

  static func ratio(_ ratio: Quartiles) -> String {
    let text = "\(number(ratio.median)) (\(number(ratio.low)) to \(number(ratio.high)))"
    return ratio.median < 0.2 ? "\(text), \(number((1 / ratio.median).rounded())) × faster" : text
  }
}
