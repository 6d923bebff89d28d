import CustomDump
import Signalbox

/// Measures the diff of 1,000 structs or 5,000 entries, one of which has changed (B8).
///
/// The unchanged elements either share their storage with the old ones or are made afresh. The
/// element type has a `==` or has none.
@MainActor enum Diffs {
  static let comparisons =
    lists(of: Equal.self, "with ==", 0.05) + lists(of: Bare.self, "without ==", 0.5)
    + tables(of: Equal.self, "with ==", 0.005) + tables(of: Bare.self, "without ==", 0.1)

  /// - Parameters:
  ///   - type: the type of the elements.
  ///   - kind: what the elements have.
  ///   - most: the budget for elements that are made afresh. Without `==`, only a mirror can
  ///     compare them.
  private static func lists<T: Message>(
    of type: T.Type, _ kind: String, _ most: Double
  ) -> [Comparison] {
    func make() -> [T] { (0..<1_000).map { T($0) } }
    func change(_ list: [T]) -> [T] {
      var list = list
      list[500].text += ", edited"
      return list
    }
    return [
      diff("1,000 structs \(kind), shared", 0.05) { (make(), change) },
      diff("1,000 structs \(kind), afresh", most) { (make(), { _ in change(make()) }) },
    ]
  }

  private static func tables<T: Message>(
    of type: T.Type, _ kind: String, _ most: Double
  ) -> [Comparison] {
    func make() -> [String: T] {
      Dictionary(uniqueKeysWithValues: (0..<5_000).map { ("entry number \($0)", T($0)) })
    }
    func change(_ table: [String: T]) -> [String: T] {
      var table = table
      table["entry number 2500"]?.text += ", edited"
      return table
    }
    return [
      diff("5,000 entries \(kind), shared", 0.005) { (make(), change) },
      diff("5,000 entries \(kind), afresh", most) { (make(), { _ in change(make()) }) },
    ]
  }

  private static func diff<T>(
    _ name: String, _ most: Double, _ make: @escaping @MainActor () -> (T, (T) -> T)
  ) -> Comparison {
    Comparison("B8", "diff of \(name)") {
      let (old, change) = make()
      let new = change(old)
      return Sides(
        Subject("Diff") { count in
          for _ in 0..<count { blackHole(Diff(from: old, to: new)) }
        },
        beside: [
          Subject("custom-dump") { count in
            for _ in 0..<count { blackHole(CustomDump.diff(old, new)) }
          }.atMost(most)
        ])
    }
  }
}

/// An element of the compared collections.
private protocol Message {
  var text: String { get set }
  init(_ number: Int)
}

/// An element with `==`.
private struct Equal: Message, Equatable {
  var id: Int
  var text: String
  var author: String
  var isRead = false
  var likes = 0

  init(_ number: Int) {
    id = number
    text = "the text of message \(number)"
    author = "the author of message \(number)"
  }
}

/// An element without `==`.
private struct Bare: Message {
  var id: Int
  var text: String
  var author: String
  var isRead = false
  var likes = 0

  init(_ number: Int) {
    id = number
    text = "the text of message \(number)"
    author = "the author of message \(number)"
  }
}
