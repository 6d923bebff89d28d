extension Duration {
  /// As one wants to read it behind what took so long: `12.3 ms`.
  package var milliseconds: String { "\((self / .milliseconds(1) * 10).rounded() / 10) ms" }
}
