/// How much a dump or a diff may say.
///
///     Dump.string(of: state, limits: Limits(lines: 3))
///     // ChatState(
///     //   … 3 more
///     // )
///
/// What is left out is counted: `… 12 more` (D3).
public struct Limits: Sendable {
  /// How many levels of parts within parts are shown.
  public var depth: Int
  /// How many lines are written, at least one.
  public var lines: Int
  /// How many bytes of UTF-8 are written, line breaks included.
  ///
  /// No single string takes more than a quarter of them.
  public var bytes: Int

  /// Makes limits.
  ///
  /// - Parameters:
  ///   - depth: how many levels of parts within parts are shown.
  ///   - lines: how many lines are written, at least one.
  ///   - bytes: how many bytes of UTF-8 are written, line breaks included.
  public init(depth: Int = 16, lines: Int = 200, bytes: Int = 20_000) {
    self.depth = depth
    self.lines = lines
    self.bytes = bytes
  }

  /// What is readable: 16 levels, 200 lines, 20,000 bytes.
  public static let standard = Limits()

  /// All there is.
  public static let unlimited = Limits(depth: .max, lines: .max, bytes: .max)
}
