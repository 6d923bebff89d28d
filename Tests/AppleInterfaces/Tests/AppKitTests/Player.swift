import AppKit
import Signalbox

@testable import SignalboxUI

struct Player: Equatable {
  var title = "Fugue"
  var lyrics = ""
  var isLooping = false
  var isMuted = true
  var volume = 0.25
  var track = 3
  var speed: Float = 1.5
  var mode = 1
  var plays = 0
  var artist: String?
}

enum PlayerAction { case play }

struct PlayerInteractor: Actionable {
  func onAction(_ action: PlayerAction, store: MutatingStore<Player, PlayerAction>) {
    store.plays += 1
  }
}

// Does what the Objective-C runtime does on Apple's platforms.
extension ControlTarget: ActionReceiver {
  func receive(_ action: Selector, from sender: Any?) {
    if action == Selector(("controlDidAct:")) { controlDidAct(sender) }
  }
}

/// An earlier target of a control.
@MainActor final class Outlet: ActionReceiver {
  private(set) var received: [Selector] = []

  func receive(_ action: Selector, from sender: Any?) { received.append(action) }
}
