import Signalbox

/// Measures many changes in one delivery, and many marks in one action.
@MainActor enum Bursts {
  static let cliffs = [
    Cliff("bursts-commits", "commits in one delivery, observed by combineLatest") { size in
      return { commits(size) }
    },
    Cliff("bursts-marks", "properties that one action marks") { size in
      return { marks(size) }
    },
  ]

  private static func commits(_ count: Int) {
    let (store, writing) = Writing.store(Fifty())
    var outputs = 0
    let emitter = Emitter<Int>()
    let subscriptions = [
      combineLatest(store.publisher.p0, store.publisher.p1).sink { _ in outputs += 1 },
      emitter.sink { count in
        for _ in 0..<count { writing.p0 += 1 }
      },
    ]
    emitter.send(count)
    guard outputs == count else { fatalError("\(count) commits have made \(outputs) outputs") }
    blackHole((store, subscriptions))
  }

  private static func marks(_ count: Int) {
    let store = Store(state: Flags(), actionable: Marking())
    store.dispatch(count)
    guard store.set.isEmpty, store.most == count else {
      fatalError("\(store.most) properties were marked instead of \(count)")
    }
  }

  private struct Flags {
    var set: Set<Int> = []
    var most = 0

    subscript(number: Int) -> Bool {
      get { set.contains(number) }
      set {
        if newValue { set.insert(number) } else { set.remove(number) }
        most = max(most, set.count)
      }
    }
  }

  private struct Marking: Actionable {
    func onAction(_ count: Int, store: MutatingStore<Flags, Int>) async {
      for number in 0..<count { store.mark(\.[number]) }
    }
  }
}
