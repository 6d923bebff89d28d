import OpenCombine
import Signalbox

extension Comparison {
  static var all: [Comparison] {

    [manyObservers, besideOpenCombine, dispatch, largeArray, emitter, stores]
      + diffs + logs
  }

  private static func observed(_ keyPaths: ArraySlice<WritableKeyPath<Fifty, Int>>, each: Int)
    -> @MainActor () -> Void
  {
    let (store, writing) = Writing.store(Fifty())
    var sum = 0
    var subscriptions: Set<Signalbox.Subscription> = []
    for _ in 0..<each {
      for keyPath in keyPaths {
        store.publisher[dynamicMember: keyPath].sink { sum &+= $0 }.store(in: &subscriptions)
      }
    }
    return {
      _ = subscriptions
      for _ in 0..<50 { writing.p7 += 1 }
      blackHole((store, sum))
    }
  }

  static var manyObservers: Comparison {
    Comparison(
      name: "B3 one of 50 properties changes", budget: "≤ 1.2",
      subject: ("10,000 observers", observed(Fifty.keyPaths[...], each: 200)),
      reference: ("its 200 alone", observed(Fifty.keyPaths[7...7], each: 200)))
  }

  static var besideOpenCombine: Comparison {
    let subject = CurrentValueSubject<Fifty, Never>(Fifty())
    var sum = 0
    var cancellables: Set<AnyCancellable> = []
    for _ in 0..<200 {
      for keyPath in Fifty.keyPaths {
        subject.map { $0[keyPath: keyPath] }.removeDuplicates().sink { sum &+= $0 }
          .store(in: &cancellables)
      }
    }
    return Comparison(
      name: "B3 beside OpenCombine", budget: "< 1",
      subject: ("10,000 observers", observed(Fifty.keyPaths[...], each: 200)),
      reference: (
        "map + removeDuplicates",
        {
          _ = cancellables
          for _ in 0..<50 { subject.value.p7 += 1 }
          blackHole(sum)
        }
      ), rounds: 5)
  }

  private struct Counter: Actionable {
    func onAction(_ action: Int, store: MutatingStore<Items, Int>) async { store.count += action }
  }

  static var dispatch: Comparison {
    let store = Store(state: Items(), actionable: Counter())
    let (written, writing) = Writing.store(Items())
    return Comparison(
      name: "B4 a synchronous action", budget: "≤ 1.4",
      subject: (
        "dispatch",
        {
          for _ in 0..<5_000 { store.dispatch(1) }
          blackHole(store.state.count)
        }
      ),
      reference: (
        "a bare Task.immediate",
        {
          for _ in 0..<5_000 { Task.immediate { @MainActor in writing.count += 1 } }
          blackHole(written)
        }
      ))
  }

  private static func appending(to size: Int) -> @MainActor () -> Void {
    let (store, writing) = Writing.store(Items(items: Array(0..<size)))
    writing.items.reserveCapacity(size + 300_000)
    var sum = 0
    let subscription = store.publisher.items.sink { sum &+= $0.count }
    return {
      _ = subscription
      for value in 0..<5_000 { writing.items.append(value) }
      writing.items.removeLast(5_000)
      blackHole((store, sum))
    }
  }

  static var largeArray: Comparison {
    Comparison(
      name: "B5 append to an observed array", budget: "≤ 3",
      subject: ("of 100,000", appending(to: 100_000)), reference: ("of 10", appending(to: 10)))
  }

  static var emitter: Comparison {
    let emitter = Emitter<Int>()
    var ours = 0
    let subscription = emitter.map { $0 * 2 }.filter { $0 % 3 != 0 }.sink { ours &+= $0 }
    let subject = PassthroughSubject<Int, Never>()
    var theirs = 0
    let cancellable = subject.map { $0 * 2 }.filter { $0 % 3 != 0 }.sink { theirs &+= $0 }
    return Comparison(
      name: "B6 source → map → filter → sink", budget: "< 1",
      subject: (
        "Emitter",
        {
          _ = subscription
          for value in 0..<20_000 { emitter.send(value) }
          blackHole(ours)
        }
      ),
      reference: (
        "PassthroughSubject",
        {
          _ = cancellable
          for value in 0..<20_000 { subject.send(value) }
          blackHole(theirs)
        }
      ))
  }

  static var stores: Comparison {
    Comparison(
      name: "B12 made and released, 1,000 times", budget: "≤ 20 ms",
      subject: ("stores of 10 hooks", { Counted.storesOfTenHooks(1_000) }),
      reference: (
        "subjects of 10 sinks",
        {
          for _ in 0..<1_000 {
            let subject = CurrentValueSubject<Items, Never>(Items())
            var cancellables: Set<AnyCancellable> = []
            for _ in 0..<10 {
              subject.map(\.count).removeDuplicates().sink { blackHole($0) }
                .store(in: &cancellables)
            }
          }
        }
      ))
  }
}
