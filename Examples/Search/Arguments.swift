import Terminal

/// The options of the command line.
struct Arguments: Equatable {
  var folder = "."
  /// Whether hidden and ignored files are found, too.
  var showsHidden = false
  var record: String?
  var wantsHelp = false

  static let usage = """
    usage: Search [FOLDER] [--all] [--record FILE] [--help]

      FOLDER         the folder to search (default: the current folder)
      --all          find what is hidden, too: names that begin with a dot, and what the
                     .gitignore files in the folder ignore
      --record FILE  record what happens in the store, for signalbox-trace
      --help         show this text

    In a terminal, type a part of a file name. The arrow keys and the page keys scroll.
    Escape stops the search, or clears the line if no search is running. Ctrl-C quits. If
    standard input is not a terminal, each line is a query, and each path that is found is
    printed on a line of its own.
    """

  init(_ words: some Sequence<String>) throws(Misuse) {
    var folders: [String] = []
    var words = Words(words)
    while let word = words.next() {
      switch word {
      case "--help", "-h":
        wantsHelp = true
        return
      case "--all":
        showsHidden = true
      case "--record":
        record = try words.value(of: word)
      case _ where word.hasPrefix("-"):
        throw Misuse(
          "There is no such option: \(word.printable). For a folder of that name, write "
            + "./\(word.printable)")
      default:
        folders.append(word)
      }
    }
    guard folders.count <= 1 else {
      throw Misuse(
        "Only one folder can be searched at a time: \(folders.joined(separator: ", ").printable)")
    }
    if let folder = folders.first {
      guard !folder.isEmpty else {
        throw Misuse("The name of the folder is empty. Leave it out to search the current folder.")
      }
      self.folder = folder
    }
  }
}
