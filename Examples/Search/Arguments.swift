import Terminal

/// What the command line asks for.
struct Arguments: Equatable {
  var folder = "."
  var wantsHelp = false

  static let usage = """
    usage: Search [FOLDER] [--help]

      FOLDER    where to search; otherwise the folder that you are in
      --help    show this

    In a terminal, type a part of a name; Escape stops the search, or else empties the
    line; Ctrl-C leaves. Standard input that is not a terminal is taken line by line,
    each a query, and what is found is printed, a path a line.
    """

  init(_ words: some Sequence<String>) throws(Misuse) {
    var folders: [String] = []
    for word in words {
      switch word {
      case "--help", "-h":
        wantsHelp = true
        return
      case _ where word.hasPrefix("-"):
        throw Misuse(
          "There is no such option: \(word.printable) (for a folder of that name write "
            + "./\(word.printable))")
      default:
        folders.append(word)
      }
    }
    guard folders.count <= 1 else {
      throw Misuse("One folder at a time: \(folders.joined(separator: ", ").printable)")
    }
    if let folder = folders.first {
      guard !folder.isEmpty else {
        throw Misuse("A folder has a name; leave it out for the one that you are in.")
      }
      self.folder = folder
    }
  }
}
