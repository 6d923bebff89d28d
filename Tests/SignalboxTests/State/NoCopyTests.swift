import Observation
import Testing

@testable import Signalbox

/// Tests that mutations copy nothing: an array with spare capacity moves only if it was copied.
@MainActor struct NoCopyTests {
  private let rig = StateRig(Archive())
  private var store: MutatingStore<Archive, Never> { rig.write }

  /// Appends twice, so that an effect of the first append on the second is noticed.
  private func appendsInPlace() -> Bool {
    rig.keeps(\.entries) {
      store.entries.append(1)
      store.entries.append(2)
    }
  }

  @Test("M2 an append to an unobserved array copies nothing")
  func unobserved() { #expect(appendsInPlace()) }

  @Test("M2 an append in an update of an unobserved child in a collection copies nothing")
  func updateOfChild() throws {
    struct Shelf: Equatable, Identifiable {
      var id = 1
      var archive = Archive()
    }
    struct Shelves: Equatable { var all = [Shelf()] }
    struct Library: Interactor {
      func children(of store: MutatingStore<Shelves, Never>) -> Children<Shelves> {
        Each(\.all) { _ in Keeper() }
      }
      func onAction(_ action: Never, store: MutatingStore<Shelves, Never>) {}
    }
    struct Keeper: Interactor {
      func onAction(_ action: Int, store: MutatingStore<Shelf, Int>) {
        store.update { $0.archive.entries.append(action) }
      }
    }
    let store = Store(state: Shelves(), interactor: Library())
    let shelf = try #require(store.child(\.all, id: 1, Keeper.self))
    func address() -> UInt {
      // Not through the store itself, because such a read observes what it reads (M5).
      unsafe shelf.instruments.arranging.archive.entries.withUnsafeBufferPointer {
        UInt(bitPattern: $0.baseAddress)
      }
    }
    let before = address()
    shelf.dispatch(1)
    shelf.dispatch(2)
    #expect(address() == before)
    #expect(store.all[0].archive.entries.suffix(2) == [1, 2])
  }

  @Test("M2 an append to an observed array copies nothing")
  func observed() {
    let sizes = StateRecorder(rig.store.publisher.entries.map(\.count))
    #expect(appendsInPlace())
    #expect(sizes.values == [100_001, 100_002])
  }

  @Test("M2 an append copies nothing if other, computed properties and the whole are observed")
  func othersObserved() {
    let whole = StateRecorder(rig.store.publisher.map { $0.entries.count })
    let count = StateRecorder(rig.store.publisher.count)
    let label = StateRecorder(rig.store.publisher.shelf.label)
    let size = StateRecorder(rig.store.publisher.entries.count)
    let first = StateRecorder(rig.store.publisher.entries[0])
    #expect(appendsInPlace())
    #expect(whole.values == [100_001, 100_002])
    #expect(size.values == [100_001, 100_002])
    #expect(count.count + label.count + first.count == 0)
  }

  @Test("M2 an append copies nothing with combineLatest of other properties and of this one")
  func combined() {
    let others = StateRecorder(
      combineLatest(rig.store.publisher.count, rig.store.publisher.title).map { _ in 0 })
    let this = StateRecorder(
      combineLatest(rig.store.publisher.count, rig.store.publisher.entries).map { $1.count })
    #expect(appendsInPlace())
    store.count += 1
    #expect(appendsInPlace())
    #expect(this.count == 5)
    #expect(others.count == 1)
  }

  @Test("M2 an append in a hook on another property copies nothing")
  func inHook() {
    let hook = rig.store.publisher.count.sink { [store] in store.entries.append($0) }
    let sizes = StateRecorder(rig.store.publisher.entries.map(\.count))
    #expect(rig.keeps(\.entries) { store.count += 1 })
    #expect(rig.keeps(\.entries) { store.count += 1 })
    #expect(appendsInPlace())
    #expect(rig.keeps(\.entries) { store.count += 1 })
    #expect(sizes.values == Array(100_001...100_005))
    withExtendedLifetime(hook) {}
  }

  @Test("M2 an append in a hook copies nothing while others combine the hook's property")
  func inHookWithCombined() {
    let hook = rig.store.publisher.count.sink { [store] in store.entries.append($0) }
    let both = StateRecorder(combineLatest(rig.store.publisher.count, rig.store.publisher.title))
    #expect(rig.keeps(\.entries) { store.count += 1 })
    #expect(both.count == 1)
    withExtendedLifetime(hook) {}
  }

  @Test("M2 an append in a hook copies nothing after the observers of the whole were notified")
  func inHookAfterWhole() {
    let whole = StateRecorder(rig.store.publisher.map(\.count))
    let hook = rig.store.publisher.count.sink { [store] in store.entries.append($0) }
    #expect(rig.keeps(\.entries) { store.count += 1 })
    #expect(whole.values == [1, 1])
    withExtendedLifetime(hook) {}
  }

  @Test("M2 an append inside a batch copies nothing")
  func inBatch() {
    let sizes = StateRecorder(rig.store.publisher.entries.map(\.count))
    let whole = StateRecorder(rig.store.publisher.map(\.count))
    #expect(
      rig.keeps(\.entries) {
        store.batch {
          store.count = 1
          store.entries.append(1)
          store.title = "b"
          store.entries.append(2)
        }
      })
    #expect(sizes.values == [100_002])
    #expect(whole.values == [1])
  }

  @Test("M2 an append inside update copies nothing if the array is not observed")
  func inUpdate() {
    let counts = StateRecorder(rig.store.publisher.count)
    let label = StateRecorder(rig.store.publisher.shelf.label)
    #expect(
      rig.keeps(\.entries) {
        store.update {
          $0.entries.append(1)
          $0.count = 1
        }
      })
    #expect(counts.values == [1])
    #expect(label.count == 0)
  }

  @Test("M2 an append inside a batch copies nothing after an equal update of the rest")
  func afterUpdate() {
    let counts = StateRecorder(rig.store.publisher.count)
    store.update { $0.count = 1 }
    #expect(appendsInPlace())
    #expect(counts.values == [1])
  }

  @Test("M2 an append copies nothing after the store and its binder were read")
  func afterReads() {
    let binding = rig.store.binder.entries
    #expect(binding.wrappedValue.count == 100_000)
    #expect(appendsInPlace())
    #expect(rig.store.entries.count == 100_002)
    #expect(rig.store.state.entries.count == 100_002)
    #expect(appendsInPlace())
    _ = rig.store.entries.count
    #expect(rig.keeps(\.entries) { store.batch { store.entries.append(1) } })
  }

  @Test("M2 an append copies nothing under Observation of the array or the whole state")
  func tracked() {
    withObservationTracking {
      _ = rig.store.entries.count
      _ = rig.store.state
      _ = rig.store.count
    } onChange: {
    }
    #expect(appendsInPlace())
  }

  @Test("M2 a part of a nested array that changes in place is not copied if others are observed")
  func nested() {
    let label = StateRecorder(rig.store.publisher.shelf.label)
    let shelves = StateRecorder(rig.store.publisher.shelf.map(\.books.count))
    #expect(rig.keeps(\.shelf.books) { store.shelf.books.append(1) })
    #expect(label.count == 0)
    #expect(shelves.values == [100_001])
  }

  @Test("M2 an append through the whole state copies nothing")
  func throughState() {
    let counts = StateRecorder(rig.store.publisher.count)
    let whole = StateRecorder(rig.store.publisher.map(\.entries.count))
    #expect(rig.keeps(\.entries) { store.state.entries.append(1) })
    #expect(whole.values == [100_001])
    #expect(counts.count == 0)
  }

  @Test("M2 an unchanged didSet property leaves no copy of the rest behind")
  func afterDidSet() {
    struct Desk {
      var entries = Archive.large()
      var level = 0 { didSet {} }
    }
    let rig = StateRig(Desk())
    let sizes = StateRecorder(rig.store.publisher.entries.map(\.count))
    rig.write.level += 0
    #expect(rig.keeps(\.entries) { rig.write.entries.append(1) })
    #expect(sizes.values == [100_001])
  }

  @Test("M2 a state of one array changes in place, observed as a whole or by name")
  func soleArray() {
    struct Only { var entries = Archive.large() }
    let rig = StateRig(Only())
    let whole = StateRecorder(rig.store.publisher.map(\.entries.count))
    let sizes = StateRecorder(rig.store.publisher.entries.map(\.count))
    #expect(rig.keeps(\.entries) { rig.write.entries.append(1) })
    #expect(whole.values == [100_001])
    #expect(sizes.values == [100_001])
  }

  @Test("M2 an array that is the state changes in place")
  func arrayState() {
    let rig = StateRig(Archive.large())
    let sizes = StateRecorder(rig.store.publisher.map(\.count))
    #expect(rig.keeps(\.self) { rig.write.state.append(1) })
    #expect(sizes.values == [100_001])
  }

  @Test("M2 a throwing append copies nothing")
  func throwing() {
    let sizes = StateRecorder(rig.store.publisher.entries.map(\.count))
    #expect(
      rig.keeps(\.entries) {
        #expect(throws: Refused.self) { try store.entries.appendAndRefuse(1) }
      })
    #expect(sizes.values == [100_001])
  }
}

extension [Int] {
  fileprivate mutating func appendAndRefuse(_ element: Int) throws {
    append(element)
    throw Refused()
  }
}
