/// The number in a name such as `note.json.damaged-3`, of what is kept beside a file.
enum CopyNumber {
  /// A number after those of the copies that are there.
  ///
  /// A bisection finds it, so that thousands of copies cost little. If some were removed, it may lie
  /// among those that are left.
  ///
  /// - Returns: `nil` if everything seems to exist, because the folder is broken.
  static func next(_ exists: (Int) -> Bool) -> Int? {
    var free = 1
    while exists(free) {
      // More than any folder has, and twice as much still fits into an `Int` of 32 bits.
      if free >= 1 << 30 { return nil }
      free *= 2
    }
    var taken = free / 2
    while free - taken > 1 {
      let middle = (taken + free) / 2
      if exists(middle) { taken = middle } else { free = middle }
    }
    return free
  }
}
