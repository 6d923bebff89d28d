extension Duration {
  /// The duration in milliseconds with one decimal place, such as `12.3 ms`.
  package var milliseconds: String { "\((self / .milliseconds(1) * 10).rounded() / 10) ms" }
}
