extension RandomAccessCollection where Index == Int {
  /// The first index whose element does not come before a place, in a sorted collection.
  ///
  /// - Parameter isBefore: whether an element comes before the place.
  package func sortedIndex(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Mirror {
  /// The mirror, followed by those of the superclasses.
  package var levels: some Sequence<Mirror> { sequence(first: self) { $0.superclassMirror } }
}
