import Foundation

/// The folders through which the system finds a file now, and the name that it looks up in each.
///
///     /srv/current/app.conf, where `current` is a link to `releases/2`
///
///     /                 srv         folder
///     /srv              current     link
///     /srv              releases    folder
///     /srv/releases     2           folder
///     /srv/releases/2   app.conf    file
///     /srv/releases/2/app.conf      contents
///
/// It ends with the first name that does not exist.
package struct PathWalk: Equatable {
  enum Lookup {
    case folder
    /// A link on the way, or a folder that does not exist.
    case link
    case file
    /// What the name leads to, if it is a symbolic link.
    case target
    /// The contents of the file at the end, whose step has its path and no name.
    case contents
  }

  struct Step: Equatable {
    let folder: String
    /// The bytes, because strings are equal whose names are those of different files.
    let name: [UInt8]
    let lookup: Lookup
  }

  private enum Kind: Equatable {
    case folder
    case link(to: String)
    case otherFile
    case nothing
    case unknown
  }

  /// As in Linux, which follows no more links for one path.
  private static let mostLinks = 40

  private(set) var steps: [Step] = []
  /// Whether nothing on the way is hidden from this process.
  private(set) var isComplete = true

  package init(_ path: String) {
    // The names still to look up, the next one last, and the folder to look in; empty for the root.
    var (names, folder) = (Self.names(in: path), "")
    var (links, hasFile) = (0, false)
    while let name = names.popLast() {
      if name == ".." {
        folder = String(
          folder.prefix(upTo: folder.utf8.lastIndex(of: Self.slash) ?? folder.startIndex))
        continue
      }
      let kind = Self.kind(of: folder + "/" + name)
      let passage = kind == .folder ? Lookup.folder : .link
      let lookup = !names.isEmpty ? passage : hasFile ? .target : .file
      steps.append(
        Step(folder: folder.isEmpty ? "/" : folder, name: Array(name.utf8), lookup: lookup))
      hasFile = hasFile || names.isEmpty
      switch kind {
      case .folder: folder += "/" + name
      case .link(let destination) where links < Self.mostLinks:
        links += 1
        if destination.utf8.first == Self.slash { folder = "" }
        names += Self.names(in: destination)
      case .unknown:
        isComplete = false
        return
      case .otherFile where names.isEmpty:
        steps.append(Step(folder: folder + "/" + name, name: [], lookup: .contents))
        return
      case .link, .otherFile, .nothing: return
      }
    }
  }

  private static let slash = UInt8(ascii: "/")

  // The first name comes last. A slash before a combining character is not a `Character`.
  package static func names(in path: String) -> [String] {
    path.utf8.split(separator: slash).reversed().compactMap { String($0) }.filter { $0 != "." }
  }

  private static func kind(of path: String) -> Kind {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      return [ENOENT, ENOTDIR].contains(errno) ? .nothing : .unknown
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFLNK:
      guard let destination = try? FileManager.default.destinationOfSymbolicLink(atPath: path),
        // A name that is not UTF-8 has been repaired.
        !destination.unicodeScalars.contains("\u{FFFD}")
      else { return .unknown }
      return .link(to: destination)
    default: return .otherFile
    }
  }
}
