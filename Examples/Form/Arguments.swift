import Terminal

/// What the command line asks for.
struct Arguments: Equatable {
  var log: String?
  var wantsHelp = false

  static let usage = """
    usage: Form [--log FILE] [--help]

      --log FILE  adds to the file what happens in the store, as it happens
      --help      show this

    In a terminal, Tab and the arrow keys move between the fields, Return goes on and
    signs up; Escape gives a request up; Ctrl-C leaves. Standard input that is not a
    terminal is taken line by line: name, email, password or repeat with its text, and
    submit. The exit code is 0 if there is an account in the end.
    """

  init() {}

  init(_ words: some Sequence<String>) throws(Misuse) {
    var words = Words(words)
    while let word = words.next() {
      switch word {
      case "--help", "-h":
        wantsHelp = true
        return
      case "--log":
        log = try words.value(of: word)
      default:
        throw Misuse("There is no such option: \(word.printable)")
      }
    }
  }
}
