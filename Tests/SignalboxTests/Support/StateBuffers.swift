import Signalbox

/// A state with an array so large that a copy of it is noticeable.
struct Archive: Equatable {
  var entries = Archive.large()
  var count = 0
  var title = "a"
  var shelf = Shelf()

  struct Shelf: Equatable {
    var books = Archive.large()
    var label = "s"
  }

  /// 100,000 elements with room for as many more, so that only a copy changes their address.
  static func large() -> [Int] {
    var entries = Array(0..<100_000)
    entries.reserveCapacity(200_000)
    return entries
  }
}

extension StateRig {
  /// The address of the elements, read without keeping the array.
  func address(_ keyPath: KeyPath<State, [Int]>) -> UInt {
    unsafe write[dynamicMember: keyPath].withUnsafeBufferPointer {
      UInt(bitPattern: $0.baseAddress)
    }
  }

  /// Whether the array keeps its address while the body runs.
  func keeps(_ keyPath: KeyPath<State, [Int]>, _ body: () -> Void) -> Bool {
    let before = address(keyPath)
    body()
    return address(keyPath) == before
  }
}
