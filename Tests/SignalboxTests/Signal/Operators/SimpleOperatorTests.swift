import Signalbox
import Testing

/// Tests short operators one by one, which `SignalLaws` also runs in random chains.
@MainActor struct SimpleOperatorTests {
  private func collect<T>(_ make: (Signal<Int>) -> Signal<T>, _ values: [Int]) -> [T] {
    let emitter = Emitter<Int>()
    var told: [T] = []
    let subscription = make(emitter.signal).sink { told.append($0) }
    for value in values { emitter.send(value) }
    withExtendedLifetime(subscription) {}
    return told
  }

  @Test("map, compactMap and filter transform and select values")
  func plain() {
    #expect(collect({ $0.map { "\($0)" } }, [1, 2]) == ["1", "2"])
    #expect(collect({ $0.compactMap { $0 > 1 ? $0 * 10 : nil } }, [1, 2]) == [20])
    #expect(collect({ $0.filter { $0 > 1 } }, [1, 2]) == [2])
  }

  @Test("compactMap to optionals removes one level of optionality")
  func compactMapOptional() {
    let told = collect({ $0.compactMap { $0 > 0 ? Int??.some(nil) : nil } }, [0, 1])
    #expect(told == [nil])
  }

  @Test("dropFirst skips as many values as it says, one by default")
  func dropFirst() {
    #expect(collect({ $0.dropFirst() }, [1, 2, 3]) == [2, 3])
    #expect(collect({ $0.dropFirst(0) }, [1, 2, 3]) == [1, 2, 3])
    #expect(collect({ $0.dropFirst(5) }, [1, 2, 3]) == [])
  }

  @Test("scan starts afresh for each subscriber and does not deliver its initial result")
  func scan() {
    let emitter = Emitter<Int>()
    let sums = emitter.scan(100, +)
    var told: [Int] = []
    let first = sums.sink { told.append($0) }
    emitter.send(1)
    let second = sums.sink { told.append($0) }
    emitter.send(2)
    #expect(told == [101, 103, 102])
    withExtendedLifetime((first, second)) {}
  }

  @Test("removeDuplicates of events compares with the last delivered value")
  func removeDuplicates() {
    #expect(collect({ $0.removeDuplicates() }, [1, 1, 2, 2, 1]) == [1, 2, 1])
    #expect(collect({ $0.removeDuplicates { abs($0 - $1) < 3 } }, [0, 2, 4, 5, 7]) == [0, 4, 7])
  }

  @Test("removeDuplicates distinguishes a nil value from no value")
  func removeDuplicatesOptional() {
    let emitter = Emitter<Int?>()
    var told: [Int?] = []
    let subscription = emitter.removeDuplicates().sink { told.append($0) }
    for value in [nil, nil, 1, nil] { emitter.send(value) }
    #expect(told == [nil, 1, nil])
    withExtendedLifetime(subscription) {}
  }

  @Test("removeDuplicates of state first compares with the current value")
  func removeDuplicatesState() {
    let store = Store<Int, Never>(state: 1)
    let state = store.binder.self[dynamicMember: \.self]
    var told: [Int] = []
    let parity = store.publisher.map { $0 % 2 }.removeDuplicates()
    let subscription = parity.sink { told.append($0) }
    state.wrappedValue = 3
    #expect(told == [])
    state.wrappedValue = 4
    let late = parity.sink { told.append($0 + 10) }
    state.wrappedValue = 6
    state.wrappedValue = 7
    #expect(told == [0, 1, 11])
    withExtendedLifetime((subscription, late)) {}
  }

  @Test("S9 includingCurrent starts with the current value and delivers what its sink writes")
  func includingCurrent() {
    let store = Store<Int, Never>(state: 1)
    let state = store.binder.self[dynamicMember: \.self]
    var told: [Int] = []
    let changes = store.publisher.sink { told.append($0 * 100) }
    let subscription = store.publisher.map { $0 + 10 }.includingCurrent().sink { value in
      told.append(value)
      if value < 13 { state.wrappedValue += 1 }
    }
    #expect(told == [11, 200, 12, 300, 13])
    withExtendedLifetime((changes, subscription)) {}
  }

  @Test("S9 includingCurrent of an event signal is the signal itself")
  func includingCurrentOfEvents() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    emitter.send(1)
    let subscription = emitter.includingCurrent().sink { told.append($0) }
    #expect(told == [])
    emitter.send(2)
    #expect(told == [2])
    withExtendedLifetime(subscription) {}
  }

  @Test("assign(to:on:) writes every value and stops with its subscription")
  func assignOn() {
    final class Label { var text = "" }
    let label = Label()
    let emitter = Emitter<String>()
    let subscription = emitter.assign(to: \.text, on: label)
    emitter.send("a")
    #expect(label.text == "a")
    subscription.cancel()
    emitter.send("b")
    #expect(label.text == "a")
  }
}
