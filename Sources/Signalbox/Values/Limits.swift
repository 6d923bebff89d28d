/// The largest size of a dump or a diff.
///
///     Dump.string(of: state, limits: Limits(lines: 3))
///     // ChatState(
///     //   … 3 more
///     // )
///
/// Omitted parts are counted, as in `… 12 more` (D3).
public struct Limits: Sendable {
  /// The number of levels of nested parts that are shown.
  public var depth: Int
  /// The number of lines that are written, at least one.
  public var lines: Int
  /// The number of bytes of UTF-8 that are written, including line breaks.
  ///
  /// A single string takes a quarter of them at most.
  public var bytes: Int

  /// Makes limits.
  public init(depth: Int = 16, lines: Int = 200, bytes: Int = 20_000) {
    self.depth = depth
    self.lines = lines
    self.bytes = bytes
  }

  /// Limits that keep a text readable: 16 levels, 200 lines and 20,000 bytes.
  public static let standard = Limits()

  /// No limits.
  public static let unlimited = Limits(depth: .max, lines: .max, bytes: .max)
}
