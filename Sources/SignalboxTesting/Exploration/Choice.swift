/// Something that may happen next in an exploration.
@MainActor struct Choice {
  /// In a replay string, `b` is the second call, `b!` its failure, `2` the second timer, `+1` the
  /// first optional event, `>2` the second action of a list, `!7b` the second fault at the seventh
  /// moment at which there may be one, and `-` the end of a run at which optional events are left.
  let token: String
  /// As in `search("ab") answers`; a closure, because formatting the request outlasts a step.
  let label: @MainActor () -> String
  let perform: @MainActor () -> Void

  static let end = "-"
  /// The token of a moment at which there is no fault, which is no step.
  static let noFault = ""

  static func isFault(_ token: String) -> Bool { token.hasPrefix("!") }
  static func isStep(_ token: String) -> Bool { token != end && token != noFault }

  static let action: Character = ">"

  /// The letters of a call: `a` to `z`, then `aa` and so on.
  static func letters(of index: Int) -> String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz")
    let letter = String(alphabet[index % alphabet.count])
    return index < alphabet.count ? letter : letters(of: index / alphabet.count - 1) + letter
  }
}
