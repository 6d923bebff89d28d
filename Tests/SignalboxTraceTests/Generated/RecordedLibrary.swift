import Foundation
import Signalbox
import SignalboxTesting
import Testing

@MainActor @Test func recordedLibrary() async {
  let counting = TestEndpoint<String, Int>("counting")
  let store = TestStore(
    state: LibraryState(),
    interactor: Library(counting: counting))
  store.code = "please"
  store.code = "sesame"
  store.expect(including: { $0.isOpen = true })
  store.state.events = ["opened"]
  await store.dispatch(
    .open(Date(timeIntervalSinceReferenceDate: 0.5), URL(string: "https://example.org/library")!),
    including: {
      $0.opened = Date(timeIntervalSinceReferenceDate: 0.5)
      $0.page = URL(string: "https://example.org/library")!
    })
  await store.dispatch(.visit("ann"))
  #expect(store.visitors.names == ["ann"])
  await store.dispatch(.visit("bob"))
  #expect(store.visitors.names == ["ann", "bob"])
  #expect(store.visitors.isCrowded)
  await store.dispatch(.add(rack: "a"), including: { $0.racks = [RackState(id: "a")] })
  await store.child(\.racks, id: "a", Rack.self)?.dispatch(.add(1))
  store.expect(including: { $0.racks[0].volumes = [VolumeState(id: 1)] })
  await store.child(\.racks, id: "a", Rack.self)?.dispatch(.add(2))
  store.expect(including: { $0.racks[0].volumes.append(VolumeState(id: 2)) })
  await store.child(\.racks, id: "a", Rack.self)?
    .child(\.volumes, id: 1, Volume.self)?
    .dispatch(.lend)
  store.expect(including: { $0.racks[0].volumes[0].isLent = true })
  store.racks[0].volumes[1].title = "Two"
  store.label = LibraryState.Label(text: "Open")
  store.label?.size = 2
  store.fees = ["ann": LibraryState.Label(text: "One")]
  store.fees["bob"] = LibraryState.Label(text: "Two")
  store.fees["ann"]?.size = 3
  store.fees["bob"] = nil
  await store.dispatch(.add(rack: "b"), including: { $0.racks.append(RackState(id: "b")) })
  store.child(\.racks, id: "a", Rack.self)?.send(.empty)
  await store.settle()
  store.expect(including: { $0.racks.remove(at: 0) })
  #expect(store.visitors.names == ["ann", "bob", "cleaner"])
  let countTask = store.send(.count)
  await store.settle()
  countTask.cancel()
  store.send(.countLater)
  await store.settle()
  store.cancel(id: "later")
  store.label?.text = "Count!"
  await store.settle()
  store.cancelAll()
  let countTask2 = store.send(.count)
  await store.settle()
  store.send(.countLater)
  await store.settle()
  store.cancel(id: "later")
  countTask2.cancel()
  await store.dispatch(
    .fail,
    including: {
      $0.racks.append(RackState(id: "c"))
      $0.label?.text = "Closed"
      $0.label?.size = 1
    })
  store.expectError()
  await store.settle()
  #expect(!store.isRunning(id: "later"))
  await store.finish()
}
