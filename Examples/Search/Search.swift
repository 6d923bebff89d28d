import Signalbox
import Terminal

/// The command.
///
/// It connects the parts of the program and runs until there is a reason to exit.
@main
@MainActor
struct Search {
  static func main() async {
    await Command.main(usage: Arguments.usage) { command in
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      if arguments.wantsHelp {
        say(Arguments.usage)
        return 0
      }
      do {
        _ = try Folder(arguments.folder)
      } catch {
        throw Misuse("\(arguments.folder.printable) cannot be searched: \(error). Name a folder.")
      }
      try command.record(to: arguments.record)
      let service = SearchService.files(
        below: arguments.folder, showsHidden: arguments.showsHidden)
      return RawTerminal.isAvailable
        ? try await searchInTerminal(service, command)
        : await searchAsScript(service, command)
    }
  }

  private static func searchInTerminal(
    _ service: SearchService, _ command: Command
  ) async throws -> Int32 {
    let store = Store(state: SearchState(), interactor: SearchInteractor(service: service))
    let console = Console(try RawTerminal(), refreshes: command.refreshes)
    let view = TerminalView(store: store, console: console)
    let code = await command.exitCode(of: console.quits) { console.open() }
    withExtendedLifetime(view) { console.close() }
    return code
  }

  private static func searchAsScript(_ service: SearchService, _ command: Command) async -> Int32 {
    let store = Store(
      state: SearchState(), interactor: SearchInteractor(service: service, limit: .max))
    let view = ScriptView(store: store)
    return await command.exitCode(of: view.quits) { Task { await view.run() } }
  }
}
