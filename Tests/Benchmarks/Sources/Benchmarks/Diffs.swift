import CustomDump
import Signalbox

extension Comparison {
  /// Of 1,000 structs and of 5,000 entries one is changed; what did not change shares its storage
  /// with what was, or is made afresh; and has a `==`, or not.
  static var diffs: [Comparison] {
    lists(of: Message.self, "Equatable") + lists(of: Opaque.self, "not Equatable")
      + tables(of: Message.self, "Equatable") + tables(of: Opaque.self, "not Equatable")
  }

  private static func lists<T: Made>(of type: T.Type, _ kind: String) -> [Comparison] {
    func make() -> [T] { (0..<1_000).map { T($0) } }
    func change(_ list: [T]) -> [T] {
      var list = list
      list[500].text += ", edited"
      return list
    }
    let old = make()
    return [
      diff("1,000 \(kind), shared", "≤ 0.05", from: old, to: change(old)),
      diff("1,000 \(kind), afresh", "≤ 0.05", from: old, to: change(make())),
    ]
  }

  private static func tables<T: Made>(of type: T.Type, _ kind: String) -> [Comparison] {
    func make() -> [String: T] {
      Dictionary(uniqueKeysWithValues: (0..<5_000).map { ("entry number \($0)", T($0)) })
    }
    func change(_ table: [String: T]) -> [String: T] {
      var table = table
      table["entry number 2500"]?.text += ", edited"
      return table
    }
    let old = make()
    return [
      diff("5,000 entries \(kind), shared", "≤ 0.005", from: old, to: change(old)),
      diff("5,000 entries \(kind), afresh", "≤ 0.005", from: old, to: change(make())),
    ]
  }

  private static func diff<T>(_ name: String, _ budget: String, from old: T, to new: T)
    -> Comparison
  {
    Comparison(
      name: "B8 diff of \(name)", budget: budget,
      subject: ("Diff", { blackHole(Diff(from: old, to: new)) }),
      reference: ("customDump", { blackHole(CustomDump.diff(old, new)) }), rounds: 9)
  }
}

/// An element of what is compared.
private protocol Made {
  var text: String { get set }
  init(_ number: Int)
}

private struct Message: Made, Equatable {
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

private struct Opaque: Made {
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
