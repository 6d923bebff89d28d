/// The distance on the stack between measurements.
@MainActor struct SignalStackDepth {
  private var lowest = UInt.max
  private var highest = UInt.min

  /// Whether all measurements were within 64 KiB.
  ///
  /// A few frames take less under a sanitizer, and a thousand frames take far more.
  var isConstant: Bool { highest - lowest < 65_536 }

  @inline(never) mutating func measure() {
    var local = 0
    let address = unsafe withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
    lowest = min(lowest, address)
    highest = max(highest, address)
  }
}
