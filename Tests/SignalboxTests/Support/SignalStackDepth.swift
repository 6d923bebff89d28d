/// How far apart on the stack its measurements were taken.
@MainActor struct SignalStackDepth {
  private var lowest = UInt.max
  private var highest = UInt.min

  /// Whether they were within 64 KiB: more than a few frames take under a sanitizer, and far less
  /// than a thousand take.
  var isConstant: Bool { highest - lowest < 65_536 }

  @inline(never) mutating func measure() {
    var local = 0
    let address = unsafe withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
    lowest = min(lowest, address)
    highest = max(highest, address)
  }
}
