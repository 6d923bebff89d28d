import Testing

@testable import Signalbox

/// Tests that an idle store holds nothing of many earlier actions of every kind (A10).
@MainActor struct FlatBooksTests {
  enum Kind: CaseIterable, Sendable {
    case suspended, superseded, ignored, queued, joined, concurrent, failing, cancelled
    case runs, failingRuns, nested
  }

  /// An action whose release is observed.
  ///
  /// All errands share one canary.
  struct Errand: CancellableAction, Error {
    var kind: Kind
    var id: Int?
    var overlap: Overlap
    let canary: StoreCanary
    var cancelIdentifier: Int? { id }
  }

  /// Holds all callers until it is opened, and reports when all of them have left.
  @MainActor private final class Door {
    private let opened = StoreMoment()
    private let left = StoreMoment()
    private var inside = 0
    var works: [WeakWork] = []

    func pass() async {
      inside += 1
      await opened.arrival
      inside -= 1
      if inside == 0 { left.happen() }
    }

    func open() async {
      guard inside > 0 else { return }
      opened.happen()
      await left.arrival
    }
  }

  private static func makeStore(_ door: Door) -> Store<Int, Errand> {
    Store(
      state: 0,
      actionable: HandlingErrors(
        handle: { errand, store in
          switch errand.kind {
          case .failing:
            if errand.id == nil { await door.pass() }
            throw errand
          case .runs, .failingRuns:
            let run = store.run(id: errand.id, overlap: errand.overlap) { store in
              await door.pass()
              store.state += 1
              if errand.kind == .failingRuns { throw errand }
            }
            door.works.append(WeakWork(run))
          case .nested:
            var inner = errand
            inner.kind = .suspended
            door.works.append(WeakWork(store.send(inner)))
          default: await door.pass()
          }
          store.state += 1
        }, recover: { _, _, store in store.state += 1 }))
  }

  /// Sends actions, some of which have ended on return.
  ///
  /// The rest wait at the door.
  private static func send(
    _ count: Int, _ kind: Kind, _ canary: StoreCanary, to store: Store<Int, Errand>, _ door: Door
  ) {
    let (ids, overlap): (Int, Overlap) =
      switch kind {
      case .superseded: (7, .latest)
      case .ignored: (7, .first)
      // The queue is short enough for a debug build to empty it one by one.
      case .queued: (count / 100, .queue)
      case .joined: (7, .join)
      case .concurrent: (count / 100, .concurrent)
      case .suspended, .failing, .cancelled, .runs, .failingRuns, .nested: (count, .latest)
      }
    for number in 0..<count {
      let isNamed = ids < count || number % 2 == 0
      let errand = Errand(
        kind: kind, id: isNamed ? number % ids : nil, overlap: overlap, canary: canary)
      let task = store.send(errand)
      door.works.append(WeakWork(task))
      guard kind == .cancelled else { continue }
      if number % 4 == 0 { store.cancel(id: number) } else { task.cancel() }
    }
  }

  // Each of these tests occupies the main actor for seconds, so they run in a separate process.
  @Test("A10 five thousand actions of each kind leave nothing behind, nor does what they captured")
  func kinds() async {
    await #expect(processExitsWith: .success) { @MainActor in
      for kind in Kind.allCases {
        let door = Door()
        let store = Self.makeStore(door)
        weak var canary: StoreCanary?
        do {
          let shared = StoreCanary()
          canary = shared
          Self.send(5_000, kind, shared, to: store, door)
        }
        await door.open()
        expectEmptyBooks(store)
        #expect(door.works.count >= 5_000)
        #expect(door.works.living == 0 && canary == nil, "\(kind)")
      }
    }
  }

  @Test("A10 a hundred thousand actions leave no trace")
  func many() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        let store = Store(
          state: 0, actionable: Handling<Int, SignalToken> { _, store in store.state += 1 })
        var works: [WeakWork] = []
        weak var last: SignalToken?
        for number in 0..<100_000 {
          let token = SignalToken(number)
          let task = store.send(token)
          if number % 100 == 0 { works.append(WeakWork(task)) }
          last = token
        }
        #expect(store.state == 100_000)
        #expect(works.living == 0 && last == nil)
        expectEmptyBooks(store)
      }
    }
  }

  @Test("A10 twenty thousand named actions leave no trace in the records")
  func namedActions() {
    let store = DeskStore(state: Desk(), actionable: Handling { _, store in store.count += 1 })
    for number in 0..<20_000 { store.send(Job("go", id: "\(number)")) }
    #expect(store.count == 20_000)
    expectEmptyBooks(store)
  }
}
