package import Signalbox

/// A terminal in raw mode, with its keys and its output.
///
/// It handles the keys that have the same meaning in every program.
@MainActor
package final class Console {
  /// Sends the exit code when the user wants to quit.
  package let quits = Emitter<Int32>()
  /// The keys that the program handles.
  package let keys = Emitter<Key>()
  /// Sends when everything has to be redrawn.
  package let redraws = Emitter<Void>()

  private let terminal: RawTerminal
  private let keyboard = Keyboard()
  private let input = Emitter<[UInt8]?>()
  private var subscriptions: Set<Subscription> = []
  private var reading: Task<Void, Never>?
  private var isClosed = false

  /// - Parameters:
  ///   - terminal: the terminal.
  ///   - refreshes: sends when the size of the window has changed or the process continues after a
  ///     stop.
  package init(_ terminal: RawTerminal, refreshes: Signal<Void>) {
    self.terminal = terminal
    keyboard.keys.sink { [weak self] in self?.press($0) }.store(in: &subscriptions)
    refreshes.sink { [weak self] in self?.refresh() }.store(in: &subscriptions)
  }

  package func open() {
    terminal.enter()
    // Not a sink, in whose delivery all keys of a read would come before what the first one changes.
    let values = input.values
    reading = Task { [weak self] in
      for await bytes in values { self?.receive(bytes) }
    }
    terminal.read { [input] in input.post($0) }
    redraws.send()
  }

  /// Leaves raw mode.
  ///
  /// Nothing is drawn afterwards.
  package func close() {
    subscriptions = []
    reading?.cancel()
    isClosed = true
    terminal.write("\r\u{1B}[J")
    terminal.leave()
  }

  package var columns: Int { terminal.columns }
  package var rows: Int { terminal.rows }

  package func write(_ text: String) {
    if !isClosed { terminal.write(text) }
  }

  private func refresh() {
    terminal.enter()
    redraws.send()
  }

  private func receive(_ bytes: [UInt8]?) {
    // `nil` means that the terminal has been closed.
    if let bytes { keyboard.receive(bytes) } else { quits.send(0) }
  }

  private func press(_ key: Key) {
    switch key {
    case .interrupt:
      quits.send(0)
    case .suspend:
      terminal.leave()
      terminal.suspendProcess()
    case .redraw:
      redraws.send()
    default:
      keys.send(key)
    }
  }
}
