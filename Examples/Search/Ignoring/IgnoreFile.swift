/// The patterns of a `.gitignore` file.
struct IgnoreFile: Sendable {
  static let name = ".gitignore"

  private let patterns: [IgnorePattern]

  init(_ bytes: [UInt8]) {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    patterns = bytes.dropFirst(bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0)
      .split(separator: UInt8(ascii: "\n")).compactMap { IgnorePattern($0) }
  }

  /// Whether the file hides a path; `nil` if it says nothing about it.
  ///
  /// The path begins below the folder of the file.
  func hides(_ path: ArraySlice<[UInt8]>, isFolder: Bool) -> Bool? {
    patterns.last { $0.matches(path, isFolder: isFolder) }.map { !$0.isNegated }
  }
}
