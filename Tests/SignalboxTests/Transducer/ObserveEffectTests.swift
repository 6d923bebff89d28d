import Observation
import Signalbox
import SignalboxTesting
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct ObserveEffectTests {
  @Test("X3 observe sends the latest value after each change of an object, and ends with it")
  func observe() async {
    var model: Model? = Model()
    let box = ModelBox()
    box.model = model
    let store = TestStore(state: [], transducer: Watcher.self, env: box, exhaustive: true)
    store.send(.watch)
    await store.receive(.saw(0)) { $0 = [0] }
    model?.other = 7
    model?.number = 1
    model?.number = 2
    await store.receive(.saw(2)) { $0 = [0, 2] }
    #expect(store.isRunning(id: "model"))
    model = nil
    await store.settle()
    #expect(store.runningCount == 0)
    await store.finish()
  }

  @Test("X3 observe without an object does nothing, and a cancelled observe sends no more")
  func observeNothing() async {
    let box = ModelBox()
    let store = TestStore(state: [], transducer: Watcher.self, env: box)
    store.send(.watch)
    await store.settle()
    #expect(store.runningCount == 0)
    let model = Model()
    box.model = model
    store.send(.watch)
    await store.receive(.saw(0))
    store.cancel(id: "model")
    model.number = 1
    await store.settle()
    #expect(store.state == [0])
  }
}

@Observable @MainActor private final class Model {
  var number = 0
  var other = 0
}

@MainActor private final class ModelBox {
  weak var model: Model?
}

private enum Watcher: Transducer {
  typealias State = [Int]
  typealias Env = ModelBox
  enum Event: Equatable {
    case watch
    case saw(Int)
  }

  static func update(_ state: inout [Int], event: Event) -> Effect? {
    switch event {
    case .watch:
      return .observe(id: "model") { box in
        box.model
      } event: {
        .saw($0.number)
      }
    case .saw(let number):
      state.append(number)
      return nil
    }
  }
}
