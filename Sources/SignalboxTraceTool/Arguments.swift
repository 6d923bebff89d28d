/// The options of the command line.
struct Arguments: Equatable {
  var recording = ""
  var selection = Selection()
  var follows = false
  var page: String?
  var chrome: String?
  var wantsHelp = false

  static let usage = """
    usage: signalbox-trace RECORDING [OPTIONS]

    Prints what happened in the stores of a program as a tree of causes. Each event stands
    below the one that caused it. RECORDING is a file, or - for standard input.

      --state PATH      print the changes of a part of the state, as in celsius,
                        rooms.name or 'rooms[id: 3].name', and what led to them
      --action NAME     print actions and runs of that name, what led to them, and what
                        they caused
      --hook NAME       print what hooks of that name received, what led to it, and what
                        it caused
      --since SECONDS   print what happened from that time on, counted from the start of
                        the recording, and what led to it
      --follow          go on as the file grows; Ctrl-C ends it
      --page FILE       write a page of the recording, for a browser, instead
      --chrome FILE     write a trace that Perfetto and Chrome open, instead
      --help            show this text

    Of --state, --action and --hook, one has to fit an event. The exit code is 1 if no
    event fits, and 2 if the options or the recording cannot be used, or the output cannot
    be written.
    """

  init(_ words: some Sequence<String>) throws(Misuse) {
    var words = Array(words.flatMap(Self.split).reversed())
    func value(of option: String) throws(Misuse) -> String {
      guard let value = words.popLast(), !value.hasPrefix("--") else {
        throw Misuse("\(option) needs a value.")
      }
      return value
    }
    while let word = words.popLast() {
      switch word {
      case "--help", "-h":
        wantsHelp = true
        return
      case "--state": selection.paths.append(try PathPattern(try value(of: word)))
      case "--action": selection.actions.append(Self.name(try value(of: word)))
      case "--hook": selection.hooks.append(try value(of: word))
      case "--since": selection.since = try Self.seconds(try value(of: word))
      case "--follow", "-f": follows = true
      case "--page": page = try value(of: word)
      case "--chrome": chrome = try value(of: word)
      case "-" where recording.isEmpty: recording = "/dev/stdin"
      case _ where word.hasPrefix("-"):
        throw Misuse("There is no option \(word). Try --help.")
      case _ where !recording.isEmpty:
        throw Misuse("Only one recording can be read at a time, not \(word) too.")
      default: recording = word
      }
    }
    if recording.isEmpty { throw Misuse("Name a recording, as in signalbox-trace run.jsonl.") }
    try check()
  }

  private func check() throws(Misuse) {
    if follows, recording == "/dev/stdin" {
      throw Misuse("--follow needs the name of a file, so it does not go with -.")
    }
    let writes = [page.map { _ in "--page" }, chrome.map { _ in "--chrome" }].compactMap { $0 }
    guard let option = writes.first else { return }
    if page == chrome { throw Misuse("--page and --chrome need a file each.") }
    if follows { throw Misuse("\(option) writes what is there, so it does not go with --follow.") }
    if selection != Selection() {
      throw Misuse("\(option) writes the whole recording, so it does not go with a filter.")
    }
  }

  /// `--name=ada` becomes `--name ada`.
  private static func split(_ word: String) -> [String] {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return [word] }
    return [String(word[..<equals]), String(word[word.index(after: equals)...])]
  }

  /// `.load` and `load(3)` are the action `load`.
  private static func name(_ word: String) -> String {
    String(word.drop { $0 == "." }.prefix { $0 != "(" })
  }

  private static func seconds(_ word: String) throws(Misuse) -> Double {
    guard let seconds = Double(word), seconds.isFinite, seconds >= 0 else {
      throw Misuse("--since needs a number of seconds, not \(word).")
    }
    return seconds
  }
}

/// What is wrong with the command line or with a recording, as a sentence.
struct Misuse: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ sentence: String) { description = sentence }
}
