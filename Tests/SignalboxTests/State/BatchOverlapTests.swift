import Signalbox
import Testing

/// Tests batches that change a part and what contains it.
@MainActor struct BatchOverlapTests {
  private struct User: Equatable {
    var age = 4
    var size = 1
    var double: Int {
      get { age * 2 }
      set { age = newValue / 2 }
    }
  }
  private struct Home: Equatable {
    var user = User()
    var count = 0
  }

  private let rig = StateRig(Home())

  @Test("S6 S10 assigning a part and then changing its container notifies the observers of both")
  func partThenContainer() {
    let users = StateRecorder(rig.store.publisher.user)
    let ages = StateRecorder(rig.store.publisher.user.age)
    let whole = StateRecorder(rig.store.publisher)
    rig.write.batch {
      rig.write.set(\.user.age, 5)
      rig.write.user.age = 6
      rig.write.user.age = 5
    }
    #expect(users.values == [User(age: 5)])
    #expect(ages.values == [5])
    #expect(whole.count == 1)
  }

  @Test("S10 a part that is forced with its container and then restored notifies no observer")
  func untouchedThenForced() {
    let ages = StateRecorder(rig.store.publisher.user.age)
    rig.write.batch {
      rig.write[dynamicMember: \.user.age] += 0
      rig.write.set(\.user, User(age: 5), forceUpdate: true)
      rig.write.set(\.user.age, 4)
    }
    #expect(ages.values == [])
    rig.write.batch {
      rig.write[dynamicMember: \.user.age] += 0
      rig.write.set(\.user.age, 5)
    }
    #expect(ages.values == [5])
  }

  @Test(
    "S10 a part that a computed property changes and an assignment restores notifies no observer")
  func computedAndBack() {
    let users = StateRecorder(rig.store.publisher.user)
    let ages = StateRecorder(rig.store.publisher.user.age)
    let whole = StateRecorder(rig.store.publisher)
    rig.write.batch {
      rig.write.set(\.user.double, 10)
      rig.write.set(\.user.age, 4)
    }
    rig.write.batch {
      rig.write.set(\.user.size, 2)
      rig.write.set(\.user.double, 10)
      rig.write.user = User()
    }
    #expect(users.count + ages.count + whole.count == 0)
    rig.write.batch {
      rig.write.set(\.user.double, 10)
      rig.write.set(\.user.age, 6)
    }
    #expect(users.values == [User(age: 6)])
    #expect(ages.values == [6])
    #expect(whole.count == 1)
  }

  @Test("S10 a part that is assigned and restored through its container notifies no observer")
  func thereAndBack() {
    let users = StateRecorder(rig.store.publisher.user)
    let ages = StateRecorder(rig.store.publisher.user.age)
    let whole = StateRecorder(rig.store.publisher)
    rig.write.batch {
      rig.write.set(\.user.age, 5)
      rig.write.user.age = 4
    }
    rig.write.batch {
      rig.write.state.count += 1
      rig.write.state.count -= 1
    }
    #expect(users.count + ages.count + whole.count == 0)
  }
}
