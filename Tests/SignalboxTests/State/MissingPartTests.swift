import Observation
import Testing

@testable import Signalbox

/// Tests that a missing element or unwrapped value breaks no writer and leaves nothing behind.
@MainActor @Suite(.readsKeyPaths) struct MissingPartTests {
  private struct Row: Equatable { var text = "a" }

  private struct Owner { var rows = [Row()] }

  private struct Thing { var text = "thing" }

  private struct Table {
    var rows = [Row(), Row(), Row()]
    var nested: [[Row]] = [[Row()], [Row(), Row()]]
    var user: Row? = Row()
    var owner: Owner? = Owner()
    var things = [Thing()]
    var count = 0
    subscript(key: Int) -> Int { key + count }
  }

  private let rig = StateRig(Table())

  @Test("M6 a binding of a row that was read once does not read the row after its removal")
  func bindingOfRow() {
    let store = Store<Table, Int>(state: Table(), actionable: Removing())
    for index in store.rows.indices {
      _ = store.binder.binding(get: \.rows[index].text) { _ in index }.wrappedValue
    }
    _ = store.binder.binding(get: \.user!.text) { _ in 0 }.wrappedValue
    store.dispatch(0)
    #expect(store.rows.count == 2)
    #expect(store.user == nil)
  }

  @Test("M5 M6 code that has read a binding of a missing part is notified when the part is back")
  func bindingOfMissingPart() {
    let store = Store<Table, Never>(state: Table())
    let (row, user) = (store.binder.rows[0].text, store.binder.user[dynamicMember: \.!.text])
    let told = StateRecorder<String>()
    func track(_ binding: StateBinding<String>, _ name: String) -> String {
      withObservationTracking {
        binding.wrappedValue
      } onChange: {
        MainActor.assumeIsolated { told.note(name) }
      }
    }
    store.binder.rows.wrappedValue = []
    store.binder.user.wrappedValue = nil
    #expect([track(row, "row"), track(user, "user")] == ["a", "a"])
    store.binder.rows.wrappedValue = [Row(text: "b")]
    store.binder.user.wrappedValue = Row(text: "c")
    #expect(told.values == ["row", "user"])
    #expect([row.wrappedValue, user.wrappedValue] == ["b", "c"])
  }

  @Test("S10 M5 a key with an alignment of its own can be observed, read and written")
  func alignedKey() {
    let rig = StateRig(Grid())
    let seen = StateRecorder<Int>()
    let kept = rig.store.publisher[dynamicMember: \.[SIMD2(1, 2)].value].sink { seen.note($0) }
    rig.write[SIMD2(1, 2)].value = 4
    rig.write[SIMD2(1, 3)].value = 5
    #expect(seen.values == [4])
    #expect(rig.store[dynamicMember: \.[SIMD2(1, 2)].value] == 4)
    withExtendedLifetime(kept) {}
  }

  private struct Cell: Equatable { var value = 0 }

  private struct Grid {
    var cells: [Int: Cell] = [:]

    subscript(key: SIMD2<Int>) -> Cell {
      get { cells[key.x * 100 + key.y] ?? Cell() }
      set { cells[key.x * 100 + key.y] = newValue }
    }
  }

  @Test("S10 subscribing to a range of an array traps")
  func range() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let rig = StateRig(Table())
        let kept = rig.store.publisher[dynamicMember: \.rows[0..<2]].sink { _ in }
        withExtendedLifetime(kept) {}
      }
    }
    expectError("cannot be observed: it has a range of an array", from: result)
  }

  private struct Removing: Actionable {
    func onAction(_ index: Int, store: MutatingStore<Table, Int>) async {
      store.rows.remove(at: index)
      store.user = nil
    }
  }

  @Test("S10 a subscriber to an element is notified when it returns, not while it is missing")
  func element() {
    let texts = StateRecorder(rig.store.publisher.rows[2].text)
    let unwrapped = StateRecorder(rig.store.publisher[dynamicMember: \.user!.text])
    let deep = StateRecorder(rig.store.publisher[dynamicMember: \.nested[1][1].text])
    rig.write.rows[2].text = "b"
    rig.write.nested[1][1].text = "b"
    rig.write.rows.removeLast()
    rig.write.nested[1].removeLast()
    rig.write.user = nil
    rig.write.count += 1
    #expect(texts.values == ["b"])
    #expect(deep.values == ["b"])
    rig.write.nested.removeLast()
    rig.write.rows.append(Row(text: "c"))
    rig.write.user = Row(text: "d")
    #expect(texts.values == ["b", "c"])
    #expect(unwrapped.values == ["d"])
  }

  @Test("S7 a combination with a missing element keeps the last value of the element")
  func combined() {
    let both = StateRecorder(
      combineLatest(rig.store.publisher.rows[2].text, rig.store.publisher.count)
        .map { "\($0) \($1)" })
    rig.write.rows.removeLast()
    rig.write.count = 1
    #expect(both.values == ["a 1"])
  }

  @Test("S7 a missing element that returns during a delivery is not part of that delivery")
  func returningMeanwhile() {
    let hook = rig.store.publisher.count.sink { [rig] _ in rig.write.rows.append(Row(text: "z")) }
    let both = StateRecorder(
      combineLatest(rig.store.publisher.rows[2].text, rig.store.publisher.count)
        .map { "\($0) \($1)" })
    rig.write.rows.removeLast()
    rig.write.count = 1
    #expect(both.values == ["a 1", "z 1"])
    withExtendedLifetime(hook) {}
  }

  @Test("S7 a combination keeps the last value of a missing element that cannot be compared")
  func combinedWithoutEquality() {
    let both = StateRecorder(
      combineLatest(rig.store.publisher.things[0], rig.store.publisher.count)
        .map { "\($0.text) \($1)" })
    rig.write.things = []
    rig.write.count = 1
    #expect(both.values == ["thing 1"])
  }

  @Test("S10 an element that returns counts as new, even if it is equal")
  func returning() {
    let texts = StateRecorder(rig.store.publisher.rows[2].text)
    let row = rig.write.rows.removeLast()
    rig.write.rows.append(row)
    #expect(texts.values == ["a"])
  }

  @Test("S10 a path that ends at a `?` has the value nil and is not missing")
  func chained() {
    let texts = StateRecorder(rig.store.publisher[dynamicMember: \.owner?.rows[0].text])
    rig.write.owner = nil
    #expect(texts.values == [nil])
    rig.write.owner = Owner(rows: [])
    #expect(texts.values == [nil])
  }

  @Test("S10 a subscriber to a missing element is notified when the element appears")
  func appearing() {
    let texts = StateRecorder(rig.store.publisher.rows[3].text)
    rig.write.count = 1
    rig.write.rows.append(Row(text: "new"))
    #expect(texts.values == ["new"])
  }

  @Test("S9 starting with the current value of a missing element traps with a message")
  func missingFromTheStart() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let rig = StateRig(Table())
        _ = rig.store.publisher.rows[9].includingCurrent().sink { _ in }
      }
    }
    expectError("is not in the state: its index is out of range", from: result)
  }

  @Test("M5 reading an element tracks its array, and any number of reads leave one tracker")
  func cells() {
    let told = StateRecorder<Void>()
    withObservationTracking {
      for key in 0..<10_000 { _ = rig.store[dynamicMember: \.[key]] }
      _ = rig.store[dynamicMember: \.rows[1].text]
    } onChange: {
      MainActor.assumeIsolated { told.note(()) }
    }
    #expect(rig.store.engine.storage.parts.all.count == 2)
    rig.write.rows[0].text = "b"
    #expect(told.count == 1)
    #expect(rig.store.engine.storage.parts.all.isEmpty)
  }

  @Test("S10 the shape of a key path lists the parts that it leads through")
  func shapes() {
    let index = 1
    func shape(_ keyPath: PartialKeyPath<Table>) -> KeyPathShape { KeyPathShape(keyPath) }
    #expect(shape(\.rows).storedParts.count == 1)
    #expect(shape(\.rows[index].text).storedParts.map(\.offset) == [0])
    #expect(shape(\.rows[index].text).isOneOfMany)
    #expect(shape(\.rows[index].text).mayBeMissing)
    #expect(shape(\.user!.text).mayBeMissing)
    #expect(!shape(\.user?.text).mayBeMissing)
    #expect(!shape(\.user?.text).hasSetter)
    #expect(shape(\.[index]).isOneOfMany)
    #expect(!shape(\.[index]).mayBeMissing)
    #expect(shape(\.[index]).hasSetter)
    #expect(!shape(\.count).isOneOfMany)
    let appended = (\Table.nested).appending(path: \.[0]).appending(path: \.[0].text)
    #expect(shape(appended).mayBeMissing)
  }
}
