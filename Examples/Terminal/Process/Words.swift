/// The words of a command line, which are taken one by one.
package struct Words {
  private var rest: ArraySlice<String>

  /// Splits the words.
  ///
  /// `--name=ada` becomes `--name ada`.
  package init(_ words: some Sequence<String>) {
    rest = words.flatMap(Self.split)[...]
  }

  /// Takes the next word.
  ///
  /// Returns `nil` at the end.
  package mutating func next() -> String? { rest.popFirst() }

  package mutating func value(of option: String) throws(Misuse) -> String {
    guard let value = rest.popFirst(), !value.hasPrefix("--") else {
      throw Misuse("\(option) needs a value.")
    }
    return value
  }

  private static func split(_ word: String) -> [String] {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return [word] }
    return [String(word[..<equals]), String(word[word.index(after: equals)...])]
  }
}
