import Signalbox
import Testing

/// What the closure of a derived value must not do.
@MainActor struct DerivedTrapTests {
  private static let onlyReads = "in the closure of a derived value or a pending change. They must"

  @Test("V6 writing in a closure traps, observed or not, also in a batch and in a new store")
  func write() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let rig = StateRig(Cart())
        _ =
          rig.store[
            Derived<Cart, Int> { _ in
              rig.write.note = "x"
              return 1
            }]
      }
    }
    expectError(Self.onlyReads, from: result)
    let inPlace = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let rig = StateRig(Cart())
        let sink = rig.store.publisher.note.sink { _ in }
        rig.write.batch {
          rig.write.note = "y"
          _ =
            rig.store[
              Derived<Cart, Int> { _ in
                rig.write.lines.append(Cart.Line(id: 9, title: "", price: 1))
                return 1
              }]
        }
        withExtendedLifetime(sink) {}
      }
    }
    expectError(Self.onlyReads, from: inPlace)
  }

  @Test("V6 dispatching and subscribing in a closure trap")
  func dispatch() async {
    let dispatched = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        struct Shop: Actionable {
          func onAction(_ action: Int, store: MutatingStore<Cart, Int>) {}
        }
        let store = Store(state: Cart(), actionable: Shop())
        let value = Derived<Cart, Int> { cart in
          if cart.lines.isEmpty { store.send(1) }
          return 1
        }
        let sink = store.publisher[value].sink { _ in }
        store.binder.lines.wrappedValue = []
        withExtendedLifetime(sink) {}
      }
    }
    expectError(Self.onlyReads, from: dispatched)
    let subscribed = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let rig = StateRig(Cart())
        _ =
          rig.store[
            Derived<Cart, Int> { _ in
              _ = rig.store.publisher.note.sink { _ in }
              return 1
            }]
      }
    }
    expectError(Self.onlyReads, from: subscribed)
  }

  @Test("V6 a circle traps with the names on it")
  func circle() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        @MainActor final class Circle {
          var next: Derived<Cart, Int>?
          lazy var total = Derived<Cart, Int>("total") { cart in cart[self.tax] }
          lazy var tax = Derived<Cart, Int>("tax") { cart in
            self.next.map { cart[$0] } ?? cart.lines.count
          }
        }
        let circle = Circle()
        let rig = StateRig(Cart())
        _ = rig.store[circle.total]
        circle.next = circle.total
        rig.write.lines = []
        _ = rig.store[circle.total]
      }
    }
    // The circle is found where it closes: what is unsure asks its inputs first.
    let text = result.errorText
    #expect(text.contains("A derived value was derived from itself"), "\(text)")
    #expect(text.contains("tax → total → tax") || text.contains("total → tax → total"), "\(text)")
  }

  @Test("V6 a circle without names traps with the file and the line")
  func circleWithoutNames() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        @MainActor final class Circle {
          lazy var own: Derived<Cart, Int> = Derived { cart in cart[self.own] }
        }
        _ = StateRig(Cart()).store[Circle().own]
      }
    }
    let text = result.errorText
    #expect(text.contains(#/DerivedTrapTests.swift:\d+ → DerivedTrapTests.swift:\d+\./#), "\(text)")
  }

  @Test("V6 a reader that is used after its closure traps")
  func lateReader() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let rig = StateRig(Cart())
        var kept: Reader<Cart>?
        _ =
          rig.store[
            Derived<Cart, Int>("kept") {
              kept = $0
              return 1
            }]
        _ = kept?.note
      }
    }
    expectError("outside of the closure of its derived value, kept.", from: result)
  }

  @Test("V6 a reader that is used in the closure of another derived value traps")
  func readerInAnotherClosure() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        _ =
          StateRig(Cart()).store[
            Derived<Cart, String>("outer") { outer in outer[Derived("inner") { _ in outer.note }] }]
      }
    }
    expectError(
      "outside of the closure of its derived value, outer.", from: result)
  }

  @Test("V6 C6 beginning a child in a closure traps")
  func beginning() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        struct Rates: Interactor {
          func onAction(_ action: Int, store: MutatingStore<Cart.Line, Int>) {}
        }
        struct Shop: Interactor {
          func children(of store: MutatingStore<Cart, Int>) -> Children<Cart> {
            Each(\.lines) { _ in Rates() }
          }
          func onAction(_ action: Int, store: MutatingStore<Cart, Int>) {}
        }
        let store = Store(state: Cart(), interactor: Shop())
        let price = Derived<Cart.Line, Int> { $0.price }
        let value = Derived<Cart, Int> { cart in
          cart.each(\.lines, \.id).reduce(0) { sum, id in
            sum + (store.child(\.lines, id: id, Rates.self)?[price] ?? 0)
          }
        }
        _ = store[value]
      }
    }
    expectError("begin a child", from: result)
  }

  @Test("V7 a part that is no stored property traps")
  func computedPart() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        _ = StateRig(Cart()).store[Derived<Cart, Int> { $0.part(\.lines.count).nonzeroBitCount }]
      }
    }
    expectError("is not a stored property", from: result)
  }

  @Test("V6 a derived value of another family of stores traps")
  func otherStore() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let (rig, other) = (StateRig(Cart()), StateRig(Cart()))
        let values = CartValues()
        _ = rig.store[Derived<Cart, Int>("mine") { _ in other.store[values.total] }]
      }
    }
    expectError(
      "The derived value mine has read one of another store than its own", from: result)
  }
}
