import Signalbox
import Testing

@MainActor struct BatchTests {
  private let rig = StateRig(Room())
  private var store: MutatingStore<Room, Never> { rig.write }

  @Test("S6 a batch is one commit that is delivered at its end with the final state")
  func oneCommit() {
    let whole = StateRecorder(rig.store.publisher)
    let counts = StateRecorder(rig.store.publisher.count)
    let result = store.batch {
      store.count = 1
      store.count = 2
      store.title = "x"
      store.items.append(Item(text: "c"))
      #expect(counts.values == [])
      #expect(store.count == 2)
      return "done"
    }
    #expect(result == "done")
    #expect(counts.values == [2])
    #expect(whole.values.map(\.title) == ["x"])
    #expect(whole.values.map(\.items.count) == [3])
  }

  @Test("S6 nested batches and what happens in them belong to the outermost batch")
  func nested() {
    let counts = StateRecorder(rig.store.publisher.count)
    let titles = StateRecorder(rig.store.publisher.title)
    store.batch {
      store.batch { store.count = 1 }
      #expect(counts.count == 0)
      store.update {
        $0.count += 1
        $0.title = "x"
      }
      store.batch { store.batch { store.count += 1 } }
      store.set(\.title, "y", forceUpdate: true)
      #expect(counts.count + titles.count == 0)
    }
    #expect(counts.values == [3])
    #expect(titles.values == ["y"])
  }

  @Test("S6 the changes of a throwing batch stay, are delivered once, and the error is rethrown")
  func throwing() {
    let counts = StateRecorder(rig.store.publisher.count)
    #expect(throws: Refused.self) {
      try store.batch {
        store.count = 1
        try store.batch {
          store.count = 2
          throw Refused()
        }
      }
    }
    #expect(counts.values == [2])
    store.count = 3
    #expect(counts.values == [2, 3])
  }

  @Test("S6 an error that is caught inside a batch does not end the batch")
  func caughtInside() {
    let counts = StateRecorder(rig.store.publisher.count)
    store.batch {
      #expect(throws: Refused.self) {
        try store.batch {
          store.count = 1
          throw Refused()
        }
      }
      #expect(counts.count == 0)
      store.count = 2
    }
    #expect(counts.values == [2])
  }

  @Test("S6 a batch whose assignments restore the old values notifies no observer")
  func netsToNothing() {
    let whole = StateRecorder(rig.store.publisher)
    let counts = StateRecorder(rig.store.publisher.count)
    store.batch {
      store.count = 1
      store.title = "x"
      store.title = "hall"
      store.count = 0
    }
    store.batch {}
    #expect(whole.count + counts.count == 0)
  }

  @Test("S10 a batch that assigns a part and what contains it notifies of what differs at its end")
  func overlappingAssignments() {
    let whole = StateRecorder(rig.store.publisher)
    let names = StateRecorder(rig.store.publisher.person.name)
    let counts = StateRecorder(rig.store.publisher.count)
    store.batch {
      store.person = Person(name: "Bob", age: 1)
      store.set(\.person.name, "Ada")
      store.set(\.person.age, 36)
    }
    store.batch {
      store.set(\.person.name, "Bob")
      store.person = Person()
    }
    store.batch {
      store.state = Room(count: 5)
      store.count = 0
    }
    store.batch {
      store.count = 5
      store.state = Room()
    }
    #expect(names.values == [])
    #expect(counts.values == [])
    #expect(whole.count == 0)
  }

  @Test("S10 a batch whose assignments an update undoes notifies no observer")
  func undoneByUpdate() {
    let whole = StateRecorder(rig.store.publisher)
    let counts = StateRecorder(rig.store.publisher.count)
    store.batch {
      store.count = 5
      store.update { $0.count = 0 }
    }
    store.batch {
      store.update { $0.count = 5 }
      store.count = 0
    }
    #expect(counts.values == [])
    #expect(whole.count == 0)
  }

  @Test("S10 a trivially copyable property that changes in place and back notifies no observer")
  func countedThereAndBack() {
    let counts = StateRecorder(rig.store.publisher.count)
    store.batch {
      store.count += 1
      store.count -= 1
    }
    #expect(counts.values == [])
  }

  @Test("S10 a comparison in one batch does not affect a later commit")
  func nothingLeftOver() {
    let rig = StateRig(Frame())
    let corners = StateRecorder(rig.store.publisher.box.corner)
    let names = StateRecorder(rig.store.publisher.name)
    rig.write.batch {
      rig.write.box.scale += 0  // no change, but the parts of `box` were looked at
      rig.write.name = "b"
    }
    rig.write.set(\.box.corner.x, 5)
    #expect(corners.take() == [Point(x: 5)])
    rig.write.box.corner.x = 0
    #expect(corners.take() == [Point()])
    rig.write.set(\.box.corner.x, 6)
    #expect(corners.take() == [Point(x: 6)])
    rig.write.box.scale = 2
    #expect(corners.take() == [])
    #expect(names.values == ["b"])
  }

  @Test("S6 an in-place mutation in a batch counts even if nothing differs at the end")
  func inPlaceCounts() {
    let items = StateRecorder(rig.store.publisher.items)
    let counts = StateRecorder(rig.store.publisher.count)
    store.batch {
      store.items.append(Item(text: "c"))
      store.items.removeLast()
      store.count = 1
      store.count = 0
    }
    #expect(items.count == 1)
    #expect(counts.count == 0)
  }

  @Test("S6 a forced assignment in a batch notifies whatever comes before or after it")
  func forced() {
    let counts = StateRecorder(rig.store.publisher.count)
    store.batch { store.set(\.count, 0, forceUpdate: true) }
    store.batch {
      store.count = 1
      store.set(\.count, 0, forceUpdate: true)
    }
    store.batch {
      store.set(\.count, 0, forceUpdate: true)
      store.count = 1
      store.count = 0
    }
    #expect(counts.values == [0, 0, 0])
  }

  @Test("S6 a forced assignment of the whole state in a batch notifies even after an update")
  func forcedAfterUpdate() {
    let whole = StateRecorder(rig.store.publisher)
    store.batch {
      store.update { _ in }
      store.set(\.self, store.state, forceUpdate: true)
    }
    #expect(whole.count == 1)
  }

  @Test("S6 what a sink writes while a batch is open belongs to the batch")
  func writesFromSinksJoin() {
    let emitter = Emitter<Int>()
    let counts = StateRecorder(rig.store.publisher.count)
    let subscription = emitter.sink { [store] in store.count = $0 }
    store.batch {
      emitter.send(7)
      #expect(store.count == 7)
      store.title = "x"
      #expect(counts.values == [])
      emitter.send(8)
    }
    #expect(counts.values == [8])
    withExtendedLifetime(subscription) {}
  }

  @Test("S6 a batch notifies of what has changed after a write that == considers equal")
  func changeAfterEqual() {
    struct Box: Equatable { var tagged = Tagged() }
    struct Shelf {
      var box = Box()
      var count = 0
    }
    let rig = StateRig(Shelf())
    let boxes = StateRecorder(rig.store.publisher.box)
    rig.write.batch {
      rig.write[dynamicMember: \.box.tagged] = Tagged(label: "x")
      rig.write.update { $0.box.tagged.id = 7 }
    }
    #expect(boxes.values == [Box(tagged: Tagged(id: 7))])
  }

  @Test("S6 a batch of one store does not delay another store")
  func twoStores() {
    let other = StateRig(Room())
    let counts = StateRecorder(other.store.publisher.count)
    store.batch {
      other.write.count = 1
      #expect(counts.values == [1])
      store.count = 1
    }
  }
}

/// `box` is trivially copyable and has a part with parts of its own.
private struct Frame {
  struct Box: Equatable {
    var scale = 1
    var corner = Point()
  }

  var name = "a"
  var box = Box()
}
