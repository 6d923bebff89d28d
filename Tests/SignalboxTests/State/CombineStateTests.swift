import Signalbox
import Testing

@MainActor struct CombineStateTests {
  private let rig = StateRig(Room())
  private var store: MutatingStore<Room, Never> { rig.write }
  private var publisher: StatePublisher<Room, Room> { rig.store.publisher }

  @Test("S7 combineLatest gives one output for a commit that changes several of its inputs")
  func oneOutput() {
    let both = StateRecorder(combineLatest(publisher.count, publisher.title).map { "\($0)\($1)" })
    store.update {
      $0.count = 1
      $0.title = "a"
    }
    store.batch {
      store.count = 2
      store.title = "b"
    }
    store.state = Room(count: 3, title: "c")
    store.count = 4
    store.note = "x"
    #expect(both.values == ["1a", "2b", "3c", "4c"])
  }

  @Test("S7 each output comes from the state of one commit, even if more commits followed")
  func neverAMix() {
    let both = StateRecorder(
      combineLatest(publisher.count, publisher.level, publisher.note).map {
        "\($0) \($1) \($2 ?? "-")"
      })
    let hook = publisher.title.sink { [store] _ in
      store.count = 1
      store.level = 1
      store.note = "a"
      store.update {
        $0.count = 2
        $0.level = 2
        $0.note = nil
      }
    }
    store.title = "go"
    #expect(both.values == ["1 0 -", "1 1 -", "1 1 a", "2 2 -"])
    withExtendedLifetime(hook) {}
  }

  @Test("S7 a write of an earlier sink to an input does not reach the current output")
  func writerBefore() {
    let both = StateRecorder<String>()
    let hook = publisher.count.sink { [store] in if $0 < 3 { store.title += "\($0)" } }
    both.listen(to: combineLatest(publisher.count, publisher.title).map { "\($0)\($1)" })
    store.count = 1
    store.count = 2
    #expect(both.values == ["1hall", "1hall1", "2hall1", "2hall12"])
    withExtendedLifetime(hook) {}
  }

  @Test("S7 S8 a map inside combineLatest runs once for each change of the value that it maps")
  func mapsOnce() {
    let calls = StateCounter()
    let mapped = publisher.count.map { count -> Int in
      calls.count += 1
      return count * 10
    }
    let both = StateRecorder(combineLatest(mapped, publisher.title).map { "\($0)\($1)" })
    for title in ["a", "b", "c"] { store.title = title }
    #expect(both.take() == ["0a", "0b", "0c"])
    #expect(calls.take() == 1)
    store.count = 1
    store.title = "d"
    #expect(both.take() == ["10c", "10d"])
    #expect(calls.take() == 1)
    store.update {
      $0.count = 2
      $0.title = "e"
    }
    #expect(both.take() == ["20e"])
    #expect(calls.take() == 1)
  }

  @Test("S7 S8 a mapped combineLatest inside another runs once for each change")
  func nestedMapsOnce() {
    let calls = StateCounter()
    let inner = combineLatest(publisher.count, publisher.level).map { count, level -> Int in
      calls.count += 1
      return count + level
    }
    let both = StateRecorder(combineLatest(inner, publisher.title).map { "\($0)\($1)" })
    for title in ["a", "b"] { store.title = title }
    store.level = 1
    store.title = "c"
    #expect(both.values == ["0a", "0b", "1b", "1c"])
    #expect(calls.count == 2)
  }

  @Test("S7 a property that is combined several times gives one output for each commit")
  func diamond() {
    let count = publisher.count
    let all = StateRecorder(
      combineLatest(
        count, count.map { $0 * 2 }, count.map { $0 / 2 }.removeDuplicates(), publisher.count
      ).map { [$0, $1, $2, $3] })
    for value in 1...3 { store.count = value }
    #expect(all.values == [[1, 2, 0, 1], [2, 4, 1, 2], [3, 6, 1, 3]])
  }

  @Test("S7 nested combineLatest gives one output for each commit")
  func nested() {
    let inner = combineLatest(publisher.count, publisher.title).map { "\($0)\($1)" }
    let outer = StateRecorder(
      combineLatest(inner, publisher.level, inner.removeDuplicates()).map { "\($0) \($1) \($2)" })
    store.update {
      $0.count = 1
      $0.title = "a"
      $0.level = 1
    }
    store.level = 2
    store.count = 2
    #expect(outer.values == ["1a 1 1a", "1a 2 1a", "2a 2 2a"])
  }

  @Test("S7 removeDuplicates of state first compares with the current value")
  func seededRemoveDuplicates() {
    let parity = StateRecorder(publisher.count.map { $0 % 2 }.removeDuplicates())
    store.count = 2
    store.count = 3
    store.count = 5
    store.count = 6
    #expect(parity.values == [1, 0])
  }

  @Test("S7 a value that removeDuplicates drops makes no output of combineLatest")
  func droppedInput() {
    let all = StateRecorder(
      combineLatest(publisher.count.map { $0 % 2 }.removeDuplicates(), publisher.title)
        .map { "\($0)\($1)" })
    store.count = 2
    store.title = "a"
    store.count = 3
    #expect(all.values == ["0a", "1a"])
  }

  @Test("S8 state has a value from the start, and an event signal waits for its first")
  func seeding() {
    let emitter = Emitter<String>()
    let states = StateRecorder(combineLatest(publisher.count, publisher.level).map { $0 + $1 })
    let mixed = StateRecorder(combineLatest(publisher.count, emitter).map { "\($0)\($1)" })
    #expect(states.values == [])
    store.count = 1
    #expect(states.values == [1])
    #expect(mixed.values == [])
    emitter.send("a")
    emitter.send("b")
    store.count = 2
    #expect(mixed.values == ["1a", "1b", "2b"])
  }

  @Test("S7 events give one output for each event and input, and state gives one for each commit")
  func mixed() {
    let emitter = Emitter<Int>()
    let all = StateRecorder(
      combineLatest(publisher.count, emitter, publisher.level, emitter).map { [$0, $1, $2, $3] })
    emitter.send(1)
    store.update {
      $0.count = 5
      $0.level = 5
    }
    emitter.send(2)
    #expect(all.values == [[0, 1, 0, 1], [5, 1, 5, 1], [5, 2, 5, 1], [5, 2, 5, 2]])
  }

  @Test("S7 an event during queued changes sees the last delivered state")
  func eventInDelivery() {
    let emitter = Emitter<Int>()
    let all = StateRecorder(combineLatest(publisher.count, emitter).map { [$0, $1] })
    let hook = publisher.note.sink { [store] _ in
      emitter.send(1)
      store.count = 1
      emitter.send(2)
      store.count = 2
    }
    store.note = "go"
    #expect(all.values == [[0, 1], [1, 1], [1, 2], [2, 2]])
    withExtendedLifetime(hook) {}
  }

  @Test("S7 two stores give one output for each commit of either, in order")
  func twoStores() {
    let other = StateRig(Room())
    let all = StateRecorder(
      combineLatest(publisher.count, other.store.publisher.count, publisher.level)
        .map { [$0, $1, $2] })
    let hook = publisher.note.sink { [store] _ in
      other.write.count = 1
      store.update {
        $0.count = 2
        $0.level = 2
      }
      other.write.count = 3
    }
    store.note = "go"
    #expect(all.values == [[0, 1, 0], [2, 1, 2], [2, 3, 2]])
    withExtendedLifetime(hook) {}
  }

  @Test("S7 the whole state and its parts agree in every output")
  func wholeAndPart() {
    let all = StateRecorder(
      combineLatest(publisher, publisher.count, publisher.headline).map {
        [$0.count, $1, $2 == $0.headline ? 1 : 0]
      })
    let hook = publisher.count.sink { [store] in if $0 < 3 { store.count = $0 + 1 } }
    store.count = 1
    store.person.name = "Bob"
    #expect(all.values == [[1, 1, 1], [2, 2, 1], [3, 3, 1], [3, 3, 1]])
    withExtendedLifetime(hook) {}
  }

  @Test("S4 a combineLatest that is cancelled between two changes of its inputs gives no output")
  func cancelled() {
    let both = StateRecorder<Int>()
    let hook = publisher.count.sink { _ in both.cancel() }
    both.listen(to: combineLatest(publisher.count, publisher.level).map { $0 + $1 })
    store.update {
      $0.count = 1
      $0.level = 1
    }
    store.count = 2
    #expect(both.values == [])
    withExtendedLifetime(hook) {}
  }

  @Test("S11 a combineLatest of two stores finishes when both of them are gone")
  func bothGone() {
    var one: Store<Room, Never>? = Store(state: Room())
    var two: Store<Room, Never>? = Store(state: Room())
    guard let first = one?.publisher.count, let second = two?.publisher.count else { return }
    var told: [Int] = []
    let subscription = combineLatest(first, second).sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0 * 10 + $1) })
    one = nil
    two?.binder.count.wrappedValue = 1
    #expect(told == [1])
    two = nil
    #expect(told == [1, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S7 what a closure of a combination writes does not appear in the output of this commit")
  func writingClosure() {
    let counts = rig.store.publisher.count.map { [rig] count in
      if count == 1 { rig.write.title = "new" }
      return count
    }
    let both = StateRecorder(
      combineLatest(counts, rig.store.publisher.title).map { "\($0) \($1)" })
    rig.write.count = 1
    #expect(both.values == ["1 hall", "1 new"])
  }

  @Test("A9 a combination that includes a released store receives nothing from its kept handle")
  func keptHandle() {
    let two = Store<Room, Never>(state: Room())
    let (first, write) = {
      let one = StateRig(Room())
      return (one.store.publisher.count, one.write)
    }()
    let both = StateRecorder(
      combineLatest(first, two.publisher.count).map { $0 * 10 + $1 })
    write.count = 5
    #expect(both.values == [])
  }
}
