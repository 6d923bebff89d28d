import Foundation

/// How long to wait before each further attempt: a random time below a bound that grows.
///
/// Each wait is drawn between zero and its bound ("full jitter"). So many clients that lose a server
/// at the same moment do not come back at the same moment.
public struct Backoff: Sendable, Hashable {
  /// The bound of the first wait.
  public let from: Duration
  /// The largest bound.
  public let to: Duration
  /// By how much the bound grows after each failure.
  public let factor: Double

  /// Half a second, doubled after each failure, up to 30 seconds.
  public static let standard = Backoff(from: .milliseconds(500), to: .seconds(30))

  /// Makes a backoff.
  ///
  /// - Parameters:
  ///   - from: the bound of the first wait. A negative duration is treated as zero.
  ///   - to: the largest bound. If it is less than `from`, it is the bound of all waits.
  ///   - factor: by how much the bound grows after each failure. A factor below 1, or one that is
  ///     not finite, traps with a message.
  public init(from: Duration, to: Duration, factor: Double = 2) {
    // Not `precondition`, which prints no message in a release build.
    if !(factor >= 1 && factor.isFinite) {
      fatalError("Backoff(factor: \(factor)): the bound cannot shrink. Pass a factor of 1 or more.")
    }
    self.from = max(from, .zero)
    self.to = max(to, .zero)
    self.factor = factor
  }

  func bound(after failures: Int) -> Duration {
    guard from > .zero, to > from else { return min(from, to) }
    let growth = pow(factor, Double(max(failures, 1) - 1))
    // Compared before the multiplication, which would overflow.
    return growth < to / from ? from * growth : to
  }
}

/// Draws the waits between attempts.
struct Jitter {
  /// The generator that a test has seeded; `nil` for the one of the system.
  private var seeded: SplitMix64?

  init(seed: UInt64?) { seeded = seed.map(SplitMix64.init) }

  mutating func wait(upTo bound: Duration) -> Duration { bound * draw() }

  private mutating func draw() -> Double {
    guard var generator = seeded else { return .random(in: 0...1) }
    defer { seeded = generator }
    return .random(in: 0...1, using: &generator)
  }
}

/// A generator of the same numbers for the same seed on every platform.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
