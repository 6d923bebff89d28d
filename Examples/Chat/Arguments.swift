import Terminal

/// What the command line asks for.
struct Arguments: Equatable {
  enum Mode: Equatable { case join, serve, help }

  var mode = Mode.join
  var name: String?
  var room = Address.standard

  static let usage = """
    usage: Chat [--name NAME] [--room HOST:PORT] [--serve] [--help]

      --name NAME       who you are; otherwise your user name
      --room HOST:PORT  the room to join, \(Address.standard) if none is named; it is
                        opened first if HOST is this machine and nobody has done so
      --serve           only keep a room open (port 0: any free one), join none
      --help            show this

    In a terminal, Return sends; Ctrl-C leaves, and keeps what you have not sent.
    Standard input that is not a terminal is sent line by line, and what others say
    is printed as "name: text". Drafts are kept in $CHAT_DRAFTS if it is set.
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
      case "--name":
        let name = try words.value(of: word)
        guard Wire.isName(name) else {
          throw Misuse(
            "A name has 1 to \(Wire.nameLimit) bytes, and no colon, comma or control "
              + "character in it: \(name.printable)")
        }
        self.name = name
      case "--room":
        let room = try words.value(of: word)
        guard let address = Address(room) else {
          throw Misuse(
            "A room is a host name or an IPv4 address and a port, "
              + "\(Address.standard) for one: \(room.printable)")
        }
        self.room = address
      default:
        throw Misuse("There is no such option: \(word.printable)")
      }
    }
    if mode == .join, room.port == 0 {
      throw Misuse("Port 0, for any free one, only makes sense with --serve.")
    }
  }
}
