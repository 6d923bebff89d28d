import Foundation
import Instruments

/// Measures the costs that the library promises.
///
///     Benchmarks [--markdown] [FILTER]      the budgets, as a table
///     Benchmarks growth FOLDER [FILTER]     how cost grows, as files with tables and plots
///     Benchmarks count NAME N               runs one counted work, for callgrind
///     Benchmarks cliffs FEW MANY            compares a piece among few and among many
///     Benchmarks memory                     bytes and live objects
///     Benchmarks profile TITLE N            runs our side of one comparison, for callgrind
@main @MainActor struct Benchmarks {
  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "count" where arguments.count == 3:
      guard let run = Budgets.counted[arguments[1]], let count = Int(arguments[2]) else {
        fail("count needs one of \(Budgets.counted.keys.sorted()) and a number")
      }
      run(count)
    case "cliffs" where arguments.count == 3:
      guard let few = Int(arguments[1]), let many = Int(arguments[2]) else {
        fail("cliffs needs two numbers")
      }
      await Cliff.report(few: few, many: many)
    case "memory":
      guard allocations_are_counted() else { return progress("Skipped: memory needs Glibc.") }
      await Memory.report()
    case "profile" where arguments.count == 3:
      guard let comparison = Budgets.all.first(where: { $0.title == arguments[1] }),
        let count = Int(arguments[2])
      else { fail("profile needs one of \(Budgets.all.map(\.title)) and a number") }
      await comparison.sides().ours.run(count)
    case "growth" where arguments.count > 1:
      await Growth.write(to: URL(filePath: arguments[1]), only: arguments.dropFirst(2).first)
    default:
      let isMarkdown = arguments.first == "--markdown"
      if isMarkdown { arguments.removeFirst() }
      await budgets(arguments.first, isMarkdown: isMarkdown)
    }
  }

  private static func budgets(_ filter: String?, isMarkdown: Bool) async {
    var rows: [Row] = []
    for comparison in Budgets.all where filter.map(comparison.title.contains) ?? true {
      progress(comparison.title)
      rows += await comparison.rows()
    }
    let table = isMarkdown ? Table.markdown : Table.text
    print(table(Row.header, rows.map(\.cells)))
  }

  /// Prints to standard error, because standard output has the table.
  static func progress(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }

  private static func fail(_ text: String) -> Never {
    progress(text)
    exit(2)
  }
}
