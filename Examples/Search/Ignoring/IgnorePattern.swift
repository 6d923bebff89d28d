/// A line of a `.gitignore` file.
///
/// It knows `!`, a `/` at the start, in the middle and at the end, `*`, `?` and `**`. A line with a
/// backslash or a bracket hides nothing, so that it never hides what git shows.
struct IgnorePattern: Equatable, Sendable {
  private enum Step: Equatable {
    /// Any number of folders, as in `**/`.
    case folders
    case name([UInt8])
  }

  /// Whether the pattern shows what an earlier one hides.
  let isNegated: Bool
  private let isForFolders: Bool
  private let steps: [Step]

  /// Reads a line, or returns `nil` if it has no pattern.
  init?(_ line: some Sequence<UInt8>) {
    var line = Array(line)[...]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    while line.last == UInt8(ascii: " ") { line.removeLast() }
    guard line.first != UInt8(ascii: "#"),
      !line.contains(UInt8(ascii: "\\")), !line.contains(UInt8(ascii: "["))
    else { return nil }
    isNegated = line.first == UInt8(ascii: "!")
    if isNegated { line.removeFirst() }
    isForFolders = line.last == Self.slash
    if isForFolders { line.removeLast() }
    guard !line.isEmpty else { return nil }
    if line.contains(Self.slash) {
      if line.first == Self.slash { line.removeFirst() }
      let steps = line.split(separator: Self.slash, omittingEmptySubsequences: false).map {
        $0.count > 1 && $0.allSatisfy { $0 == Self.star } ? Step.folders : .name(Array($0))
      }
      // `a/**` matches what is in `a`, but not `a`.
      self.steps = steps.last == .folders ? steps + [.name([Self.star])] : steps
    } else {
      steps = [.folders, .name(Array(line))]
    }
  }

  /// - Parameters:
  ///   - path: the names on the way from the folder of the `.gitignore` file.
  ///   - isFolder: whether the path leads to a folder.
  func matches(_ path: ArraySlice<[UInt8]>, isFolder: Bool) -> Bool {
    guard isFolder || !isForFolders else { return false }
    // The places in the path that the steps so far can lead to. One place after the other would
    // take exponential time for a pattern with many `**`.
    var places: Set = [path.startIndex]
    for step in steps {
      switch step {
      case .folders:
        guard let first = places.min() else { return false }
        places = Set(first..<path.endIndex)
      case .name(let pattern):
        places = Set(
          places.filter { $0 < path.endIndex && Self.matches(pattern[...], path[$0][...]) }
            .map { $0 + 1 })
      }
    }
    return places.contains(path.endIndex)
  }

  /// Whether a name matches a pattern with `*` and `?`.
  ///
  /// As in git, a `?` stands for one byte.
  private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    var (pattern, name) = (pattern, name)
    // What follows the last star, and where it may begin next. An earlier star needs no other try.
    var retry: (pattern: ArraySlice<UInt8>, name: ArraySlice<UInt8>)?
    while let letter = name.first {
      if pattern.first == star {
        pattern.removeFirst()
        retry = (pattern, name)
      } else if let expected = pattern.first, expected == letter || expected == anyByte {
        pattern.removeFirst()
        name.removeFirst()
      } else if let last = retry {
        (pattern, name) = (last.pattern, last.name.dropFirst())
        retry = (pattern, name)
      } else {
        return false
      }
    }
    return pattern.allSatisfy { $0 == star }
  }

  private static let slash = UInt8(ascii: "/")
  private static let star = UInt8(ascii: "*")
  private static let anyByte = UInt8(ascii: "?")
}
