package import Signalbox

/// A terminal in raw mode: what is typed there, and what is drawn.
///
/// The keys that mean the same in every program never leave it.
@MainActor
package final class Console {
  /// Fires when the user wants to leave, with the exit code.
  package let quits = Emitter<Int32>()
  /// The keys that are the program's business.
  package let keys = Emitter<Key>()
  /// Fires when everything has to be drawn once more.
  package let redraws = Emitter<Void>()

  private let terminal: RawTerminal
  private let keyboard = Keyboard()
  private let input = Emitter<[UInt8]?>()
  private var subscriptions: Set<Subscription> = []
  private var isClosed = false

  /// - Parameter refreshes: fires when the window has another size, or the process was stopped for
  ///   a while.
  package init(_ terminal: RawTerminal, refreshes: Signal<Void>) {
    self.terminal = terminal
    input.sink { [weak self] in self?.receive($0) }.store(in: &subscriptions)
    keyboard.keys.sink { [weak self] in self?.press($0) }.store(in: &subscriptions)
    refreshes.sink { [weak self] in self?.refresh() }.store(in: &subscriptions)
  }

  package func open() {
    terminal.enter()
    terminal.read { [input] in input.post($0) }
    redraws.send()
  }

  /// Gives the terminal back; nothing is drawn from then on.
  package func close() {
    subscriptions = []
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
    // `nil`: the terminal is gone, and its user with it.
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
