/// How far apart on the stack its measurements were taken.
@MainActor struct SignalStackDepth {
  private var lowest = UInt.max
  private var highest = UInt.min

  var range: UInt { highest - lowest }

  @inline(never) mutating func measure() {
    var local = 0
    let address = unsafe withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
    lowest = min(lowest, address)
    highest = max(highest, address)
  }
}
