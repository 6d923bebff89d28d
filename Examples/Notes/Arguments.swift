import Foundation
import Terminal

/// The options of the command line.
struct Arguments: Equatable {
  var folder: String?
  var record: String?
  var link: URL?
  var wantsHelp = false

  static let usage = """
    usage: Notes [--folder FOLDER] [--record FILE] [--help] [LINK]

      --folder FOLDER  where the notes are kept (default: your folder for such files)
      --record FILE    record what happens in the store, for signalbox-trace
      --help           show this text
      LINK             what to show at first, such as notes://note/3 or, for the first file
                       that the note names, notes://note/3/attachment/1

    In a terminal, the prompt lists the keys. Return ends an input, and Escape cancels it.
    In the list, Escape also cancels sharing. A word such as file:///tmp/list.txt in a note
    is a file that can be shown. Ctrl-C quits and keeps the draft. If standard input is not
    a terminal, each line is one of these:

      new TEXT, edit NUMBER TEXT, done, discard       the editor
      pin NUMBER, share NUMBER, remove NUMBER         a note
      yes, no                                         the answer, if you are asked
      list, search [TEXT], order, author [NAME]       the list and the settings
      open LINK, back                                 the screens over the list
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
      case _ where !word.hasPrefix("-") && link == nil:
        guard let link = URL(string: word), [Screen](url: link) != nil else {
          throw Misuse("This is not a link to a note: \(word.printable)")
        }
        self.link = link
      default:
        throw Misuse("There is no such option: \(word.printable)")
      }
    }
  }
}
