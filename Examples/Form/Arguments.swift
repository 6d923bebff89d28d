import Terminal

/// The options of the command line.
struct Arguments: Equatable {
  var log: String?
  var record: String?
  var wantsHelp = false

  static let usage = """
    usage: Form [--log FILE] [--record FILE] [--help]

      --log FILE     append everything that happens in the store to FILE
      --record FILE  record what happens in the store, for signalbox-trace
      --help         show this text

    In a terminal, Tab and the arrow keys move between the fields. Return moves to the
    next field, or signs up if the form is complete. The field that the hint is about is
    marked. Escape withdraws a request. Ctrl-C quits. If standard input is not a terminal,
    each line is "name", "email", "password" or "repeat" followed by its text, or "submit".
    The exit code is 0 if the account was created.
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
      case "--record":
        record = try words.value(of: word)
      default:
        throw Misuse("There is no such option: \(word.printable)")
      }
    }
  }
}
