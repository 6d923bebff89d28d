import Terminal

/// The options of the command line.
struct Arguments: Equatable {
  enum Mode: Equatable { case join, serve, help }

  var mode = Mode.join
  var name: String?
  var record: String?
  var room = Address.standard

  static let usage = """
    usage: Chat [--name NAME] [--room HOST:PORT] [--serve] [--record FILE] [--help]

      --name NAME       your name in the room (default: your user name)
      --room HOST:PORT  the room to join (default: \(Address.standard)). If HOST is this
                        machine and the room is not open, it is opened first.
      --serve           open a room without joining it (port 0 means any free port)
      --record FILE     record what happens in the store, for signalbox-trace
      --help            show this text

    In a terminal, Return sends the message. Ctrl-C quits and saves the unsent draft.
    If standard input is not a terminal, each line is sent as a message, and messages
    from others are printed as "name: text". Drafts are saved in the folder
    $CHAT_DRAFTS if that variable is set.
    """

  init() {}

  init(_ words: some Sequence<String>) throws(Misuse) {
    var words = Words(words)
    while let word = words.next() {
      switch word {
      case "--help", "-h":
        mode = .help
        return
      case "--serve":
        mode = .serve
      case "--record":
        record = try words.value(of: word)
      case "--name":
        let name = try words.value(of: word)
        guard Wire.isName(name) else {
          throw Misuse(
            "A name has 1 to \(Wire.nameLimit) bytes and no colon, comma or control character. "
              + "This is not a name: \(name.printable)")
        }
        self.name = name
      case "--room":
        let room = try words.value(of: word)
        guard let address = Address(room) else {
          throw Misuse(
            "A room is a host name or an IPv4 address, a colon and a port, such as "
              + "\(Address.standard). This is not a room: \(room.printable)")
        }
        self.room = address
      default:
        throw Misuse("There is no such option: \(word.printable)")
      }
    }
    if mode == .join, room.port == 0 {
      throw Misuse("Port 0 means any free port. It can be used only with --serve.")
    }
  }
}
