/// How a value gets into a sentence.
@MainActor enum Wording {
  /// As the language does it, until something is not to be shown (D4).
  static var text: @MainActor (Any) -> String = { "\($0)" }
}
