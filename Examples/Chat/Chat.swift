import Foundation
import Signalbox
import SignalboxStorage
import Terminal

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The command.
///
/// It connects the parts of the program and runs until there is a reason to exit.
@main
@MainActor
struct Chat {
  private let arguments: Arguments
  private let command: Command

  static func main() async {
    await Command.main(usage: Arguments.usage) { command in
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      return try await Chat(arguments: arguments, command: command).run()
    }
  }

  private func run() async throws -> Int32 {
    try command.record(to: arguments.record)
    switch arguments.mode {
    case .help:
      say(Arguments.usage)
      return 0
    case .serve: return try await serve()
    case .join where RawTerminal.isAvailable: return try await joinInTerminal()
    case .join: return try await joinAsScript()
    }
  }

  private func joinInTerminal() async throws -> Int32 {
    let own = try ownDraft()
    let connection = RoomConnection(name: own.name, address: arguments.room)
    let store = Store(
      state: own.state,
      interactor: ChatInteractor(
        service: ChatService(connection), drafts: own.drafts, restored: own.restored))
    let console = Console(try RawTerminal(), refreshes: command.refreshes)
    let view = TerminalView(store: store, console: console, name: own.name, room: arguments.room)
    let code = await command.exitCode(of: console.quits, failure(of: store)) {
      console.open()
      store.dispatch(.start)
    }
    view.finishTyping()
    let failure = await saved(own.drafts)
    console.close()
    connection.close()
    if let failure { complain(failure) }
    return code
  }

  /// Saves the draft, and returns what went wrong.
  private func saved(_ drafts: SavedState<ChatState>) async -> String? {
    do {
      try await drafts.flush()
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func joinAsScript() async throws -> Int32 {
    // A script has no draft, because its source still has the lines that were not sent.
    let connection = RoomConnection(name: arguments.name ?? userName, address: arguments.room)
    let store = Store(
      state: ChatState(), interactor: ChatInteractor(service: ChatService(connection)))
    let view = ScriptView(store: store, room: arguments.room)
    let code = await command.exitCode(of: view.quits, failure(of: store)) {
      store.dispatch(.start)
      Task { await view.run() }
    }
    connection.close()
    return code
  }

  private func serve() async throws -> Int32 {
    let room: Room
    do {
      room = try Room(at: arguments.room)
    } catch let error as SystemError {
      throw error.code == EADDRINUSE
        ? await RoomEntry.whatIs(at: arguments.room)
        : RoomError.cannotOpen(arguments.room, error.description)
    }
    let code = await command.exitCode {
      say("The room is open at \(room.address).")
    }
    room.close()
    return code
  }

  private func failure(of store: Store<ChatState, ChatAction>) -> Signal<Int32> {
    store.publisher.connection.compactMap { if case .failed = $0 { 1 } else { nil } }
  }

  // MARK: Name

  private var userName: String {
    let environment = ProcessInfo.processInfo.environment
    let names = [environment["USER"], environment["LOGNAME"], NSUserName()]
    return names.compactMap(\.self).first(where: Wire.isName) ?? "guest"
  }

  /// The user's name, and the draft of that name.
  private struct Own {
    let name: String
    let drafts: SavedState<ChatState>
    let restored: Restored
    let state: ChatState
  }

  /// Restores the draft.
  ///
  /// If another process edits it, a number is added to the name, unless `--name` gave it.
  private func ownDraft() throws -> Own {
    let folder = ProcessInfo.processInfo.environment["CHAT_DRAFTS"] ?? ""
    let storage = FileStorage(
      folder: folder.isEmpty
        ? FileStorage.applicationFolder("signalbox-chat") : URL(filePath: folder))
    let wished = arguments.name ?? userName
    for number in 1...(arguments.name == nil ? Room.Limits().guests : 1) {
      let name = number == 1 ? wished : "\(wished)-\(number)"
      let drafts = SavedState.draft(of: name, in: arguments.room, storage)
      var state = ChatState()
      let restored = drafts.restore(into: &state)
      if restored != .busy {
        return Own(name: name, drafts: drafts, restored: restored, state: state)
      }
    }
    throw RoomError.nameInUse(wished, arguments.room)
  }
}
