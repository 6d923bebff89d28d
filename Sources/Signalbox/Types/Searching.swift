extension RandomAccessCollection where Index == Int {
  /// The first index, in a sorted collection, whose element is not before a place.
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
