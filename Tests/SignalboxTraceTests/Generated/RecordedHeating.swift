import Signalbox
import SignalboxTesting
import Testing

@MainActor @Test func recordedHeating() async {
  let sensor = Emitter<Double>()
  let store = TestStore(
    state: RoomState(celsius: 20.0, isHeated: false),
    hookable: Heating(sensor: sensor.signal))
  sensor.send(17.0)
  store.expect {
    $0.celsius = 17.0
    $0.isHeated = true
  }
  sensor.send(19.5)
  store.expect {
    $0.celsius = 19.5
    $0.isHeated = false
  }
  store.celsius = 21.0
  await store.finish()
}
