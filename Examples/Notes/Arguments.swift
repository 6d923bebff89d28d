import Terminal

/// The options of the command line.
struct Arguments: Equatable {
  var folder: String?
  var record: String?
  var wantsHelp = false

  static let usage = """
    usage: Notes [--folder FOLDER] [--record FILE] [--help]

      --folder FOLDER  where the notes are kept (default: your folder for such files)
      --record FILE    record what happens in the store, for signalbox-trace
      --help           show this text

    In a terminal, the prompt lists the keys. Return ends an input, and Escape cancels it.
    Escape also cancels sharing. Ctrl-C quits and keeps the draft. If standard input is
    not a terminal, each line is one of these:

      new TEXT, edit NUMBER TEXT, done, discard       the editor
      pin NUMBER, share NUMBER, remove NUMBER         a note
      list, search [TEXT], order, author [NAME]       the list and the settings
    """

  init() {}

  init(_ words: some Sequence<String>) throws(Misuse) {
    var words = Words(words)
    while let word = words.next() {
      switch word {
      case "--help", "-h":
        wantsHelp = true
        return
      case "--folder":
        let folder = try words.value(of: word)
        guard !folder.isEmpty else { throw Misuse("The name of the folder is empty.") }
        self.folder = folder
      case "--record":
        record = try words.value(of: word)
      default:
        throw Misuse("There is no such option: \(word.printable)")
      }
    }
  }
}
