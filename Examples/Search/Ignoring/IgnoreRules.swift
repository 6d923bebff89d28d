/// What hides names in a folder: a dot at their start, and the `.gitignore` files of this folder and
/// of those above it, up to the one that is searched.
struct IgnoreRules: Sendable {
  private struct Scope: Sendable {
    let file: IgnoreFile
    /// The number of folders on the way to the file.
    let depth: Int
  }

  private var folders: [[UInt8]] = []
  // Outer files come first.
  private var scopes: [Scope] = []

  /// The rules in a subfolder.
  func inside(_ name: String) -> IgnoreRules {
    var rules = self
    rules.folders.append(Array(name.utf8))
    return rules
  }

  /// Adds the file of this folder.
  mutating func add(_ file: IgnoreFile) {
    scopes.append(Scope(file: file, depth: folders.count))
  }

  func hides(_ name: String, isFolder: Bool) -> Bool {
    if name.hasPrefix(".") { return true }
    guard !scopes.isEmpty else { return false }
    let path = folders + [Array(name.utf8)]
    // The file that is nearest to the name decides.
    for scope in scopes.reversed() {
      if let hides = scope.file.hides(path[scope.depth...], isFolder: isFolder) { return hides }
    }
    return false
  }
}
