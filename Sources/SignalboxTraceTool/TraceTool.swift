import Foundation
import SignalboxTrace

/// `signalbox-trace`: prints recordings and makes pages of them.
@main struct TraceTool {
  static func main() async {
    // Otherwise `head` would end the program with a signal. Now writing fails.
    signal(SIGPIPE, SIG_IGN)
    do {
      try await run(Arguments(CommandLine.arguments.dropFirst()))
    } catch Output.Failure.closed {
      return
    } catch {
      complain((error as? CocoaError).map(\.sentence) ?? "\(error)")
      exit(2)
    }
  }

  private static func run(_ arguments: Arguments) async throws {
    if arguments.wantsHelp {
      var output = Output()
      try output.print(Arguments.usage)
      return try output.flush()
    }
    let url = URL(filePath: arguments.recording)
    if arguments.follows {
      return try await Follower(url, arguments.selection).run()
    }
    if let page = arguments.page { try TracePage.write(of: url, to: URL(filePath: page)) }
    if let chrome = arguments.chrome {
      let target = URL(filePath: chrome)
      try TracePage.check(target, isNot: url)
      let (_, events) = try TraceReader.read(bytes(ofRecording: url))
      try writePrivately(ChromeTrace(events).json, to: target)
    }
    if arguments.page == nil, arguments.chrome == nil {
      try print(bytes(ofRecording: url), arguments.selection)
    }
  }

  private static func print(_ bytes: Data, _ selection: Selection) throws {
    let (reader, events) = try TraceReader.read(bytes)
    var output = Output()
    let tree = EventTree(events, stores: reader.stores)
    try tree.print(selection) { line throws(Output.Failure) in try output.print(line) }
    try output.flush()
    for sentence in selection.misses(in: events) { complain(sentence) }
    for problem in reader.problems { complain(problem) }
    if reader.skipped > 0 {
      complain(
        reader.skipped == 1
          ? "1 line was skipped, because this version does not know it."
          : "\(reader.skipped) lines were skipped, because this version does not know them.")
    }
    if output.count == 0, selection != Selection() { exit(1) }
  }
}

func complain(_ sentence: String) {
  try? FileHandle.standardError.write(contentsOf: Data("\(sentence.withoutControls)\n".utf8))
}

extension CocoaError {
  fileprivate var sentence: String {
    let path = filePath ?? url?.path ?? "The file"
    return switch code {
    case .fileReadNoSuchFile, .fileNoSuchFile: "\(path) does not exist."
    case .fileReadNoPermission: "\(path) may not be read."
    case .fileWriteNoPermission: "\(path) may not be written."
    default: "\(path) cannot be used. Name a file that is a recording."
    }
  }
}
