import Foundation
import Signalbox
import SignalboxStorage
import Terminal

/// The command.
///
/// It restores the notes, connects the parts of the program and runs until there is a reason to exit.
@main
@MainActor
struct Notes {
  static func main() async {
    await Command.main(usage: Arguments.usage) { command in
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      if arguments.wantsHelp {
        say(Arguments.usage)
        return 0
      }
      try command.record(to: arguments.record)
      let saved = SavedState<Notebook>.notebook(in: storage(arguments))
      let store = Store(
        state: try restored(saved), interactor: NotebookFeature(service: .board(), saved: saved))
      let code =
        RawTerminal.isAvailable
        ? try await takeNotesInTerminal(store, command, arguments.link)
        : await takeNotesByScript(store, command, arguments.link)
      try await saved.flush()
      return code
    }
  }

  private static func storage(_ arguments: Arguments) -> FileStorage {
    FileStorage(
      folder: arguments.folder.map { URL(filePath: $0) }
        ?? FileStorage.applicationFolder("signalbox-notes"))
  }

  /// Restores the notes.
  ///
  /// - Throws: if what the user writes could not be saved.
  private static func restored(_ saved: SavedState<Notebook>) throws -> Notebook {
    var notebook = Notebook()
    let outcome = saved.restore(into: &notebook)
    switch outcome {
    case .nothing, .restored, .migrated: break
    case .setAside: complain("\(outcome)")
    case .newer, .unavailable, .busy: throw CannotKeepNotes(description: "\(outcome)")
    }
    return notebook
  }

  private static func takeNotesInTerminal(
    _ store: Store<Notebook, NotebookAction>, _ command: Command, _ link: URL?
  ) async throws -> Int32 {
    if let link { await store.dispatch(.open(link)) }
    let console = Console(try RawTerminal(), refreshes: command.refreshes)
    let view = TerminalView(store: store, console: console)
    let code = await command.exitCode(of: console.quits) { console.open() }
    withExtendedLifetime(view) { console.close() }
    return code
  }

  private static func takeNotesByScript(
    _ store: Store<Notebook, NotebookAction>, _ command: Command, _ link: URL?
  ) async -> Int32 {
    let view = ScriptView(store: store)
    return await command.exitCode(of: view.quits) { Task { await view.run(link: link) } }
  }
}

private struct CannotKeepNotes: Error, CustomStringConvertible {
  let description: String
}
