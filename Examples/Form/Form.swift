import Signalbox
import Terminal

/// The command.
///
/// It connects the parts of the program and runs until there is a reason to exit.
@main
@MainActor
struct Form {
  static func main() async {
    await Command.main(usage: Arguments.usage) { command in
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      if arguments.wantsHelp {
        say(Arguments.usage)
        return 0
      }
      // Logging starts before the store is made, so that the log begins with the initial state.
      if let path = arguments.log { try log(to: path) }
      try command.record(to: arguments.record)
      let store = Store(state: FormState(), interactor: FormInteractor(service: .club()))
      return RawTerminal.isAvailable
        ? try await fillInTerminal(store, command) : await fillByScript(store, command)
    }
  }

  private static func log(to path: String) throws {
    do {
      let file = try LogFile(path)
      DebugStore.print = { text in
        // When the disk is full, the program continues without the log.
        if !file.write(text) { DebugStore.disableLogging() }
      }
      DebugStore.enableLogging()
    } catch let error as SystemError {
      throw Misuse("\(path.printable) cannot be written: \(error). Name another file.")
    }
  }

  private static func fillInTerminal(
    _ store: Store<FormState, FormAction>, _ command: Command
  ) async throws -> Int32 {
    let console = Console(try RawTerminal(), refreshes: command.refreshes)
    let view = TerminalView(store: store, console: console)
    let code = await command.exitCode(of: console.quits) { console.open() }
    view.close()
    if store.progress.isDone { say(store.hint.printable) }
    return code
  }

  private static func fillByScript(
    _ store: Store<FormState, FormAction>, _ command: Command
  ) async -> Int32 {
    let view = ScriptView(store: store)
    return await command.exitCode(of: view.quits) { Task { await view.run() } }
  }
}
