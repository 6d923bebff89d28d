import Foundation

/// Without arguments: every timed comparison.
///
/// `count NAME N`: one counted subject, for callgrind.
@main @MainActor struct Benchmarks {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "count", arguments.count == 3 {
      let name = arguments[arguments.startIndex + 1]
      guard let run = Counted.all[name], let count = Int(arguments[arguments.startIndex + 2]) else {
        print("count wants one of \(Counted.all.keys.sorted()) and a number")
        exit(2)
      }
      return run(count)
    }
    let filter = arguments.first ?? ""
    for comparison in Comparison.all where filter.isEmpty || comparison.name.contains(filter) {
      comparison.run()
    }
  }
}
