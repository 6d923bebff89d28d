import Signalbox

struct RoomState: Equatable, Sendable {
  var celsius = 20.0
  var isHeated = false
}

enum RoomHook: CaseIterable { case measured, cold }

/// The heating of the README.
struct Heating: Hookable {
  let sensor: Signal<Double>

  func subscription(for hook: RoomHook, store: MutatingStore<RoomState, Never>) -> Subscription {
    switch hook {
    case .measured: sensor.assign(to: \.celsius, using: store)
    case .cold: store.publisher.celsius.map { $0 < 18 }.assign(to: \.isHeated, using: store)
    }
  }
}
