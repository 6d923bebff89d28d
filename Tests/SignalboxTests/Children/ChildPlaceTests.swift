import Foundation
import Testing

@testable import Signalbox

/// Where children may be declared, and how their places read.
@MainActor struct ChildPlaceTests {
  private struct Cup: Identifiable, Equatable { var id = 0, count = 0 }

  private struct Tray: Equatable {
    var cup = Cup()
    var pair = (left: Cup(), right: Cup())
    var cups: [Cup] = []
    var watched = Cup() { didSet {} }
    @Redacted var hidden = Cup()
    var spare: [Cup] = []
    var shown: Cup? {
      get { spare.first }
      set { spare = newValue.map { [$0] } ?? [] }
    }
    var washed: [Cup] {
      get { spare }
      set { spare = newValue }
    }
    var named: [Int: Cup] {
      get { [:] }
      set {}
    }

    static func == (l: Tray, r: Tray) -> Bool { l.cup == r.cup }
  }

  private struct House<T> { var tray: T }

  private struct CupFeature: Interactor {
    func onAction(_ action: Int, store: MutatingStore<Cup, Int>) { store.count += action }
  }

  private struct Declaring<State>: Interactor {
    @ChildrenBuilder<State> let declare: @MainActor () -> Children<State>

    func children(of store: MutatingStore<State, Never>) -> Children<State> { declare() }

    func onAction(_ action: Never, store: MutatingStore<State, Never>) {}
  }

  private static func make(
    @ChildrenBuilder<Tray> _ declare: @escaping @MainActor () -> Children<Tray>
  ) {
    _ = Store(state: Tray(), interactor: Declaring(declare: declare))
  }

  private struct Label: CustomStringConvertible { var description = "a\nb" }

  @Test("C16 D2 An id stands on one line of its place, without invisible characters")
  func ids() {
    #expect(Dump.idText(of: "plain é") == #""plain é""#)
    #expect(Dump.idText(of: "x\n  fake\u{1B}[2J") == #""x\n  fake\u{1B}[2J""#)
    #expect(Dump.idText(of: Label()) == #"a\nb"#)
    #expect(Dump.idText(of: 7) == "7")
    #expect(Dump.idText(of: Data([1, 2])) == "Data(0102)")
    let date = Date(timeIntervalSinceReferenceDate: 0.5)
    #expect(Dump.idText(of: date) == "2001-01-01T00:00:00.500000000Z")
  }

  private func expectTraps(_ sentence: String, _ results: [ExitTest.Result?]) {
    for result in results { expectError(sentence, from: result) }
  }

  @Test("C13 Declaring a child at a computed property traps with the remedy")
  func computed() async {
    expectTraps(
      "Store the state of the child, or declare it at a case of a stored enum with Child(case:).",
      [
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          @MainActor in
          ChildPlaceTests.make { Child(\.shown) { CupFeature() } }
        },
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          @MainActor in
          ChildPlaceTests.make { Each(\.washed) { _ in CupFeature() } }
        },
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          @MainActor in
          ChildPlaceTests.make { Each(\.named) { _ in CupFeature() } }
        },
      ])
  }

  @Test("C13 So does one at a property with observers or a wrapper, which counts as computed")
  func wrapped() async {
    expectTraps(
      "A property with observers or a wrapper counts as computed.",
      [
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          @MainActor in
          ChildPlaceTests.make { Child(\.watched) { CupFeature() } }
        },
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          @MainActor in
          ChildPlaceTests.make { Child(\.hidden) { CupFeature() } }
        },
      ])
  }

  @Test("C13 So does one behind an index or `!`, which may lead nowhere", .readsKeyPaths)
  func leadsNowhere() async {
    expectError(
      "was declared at \\.shown!, which has an index or `!` and so may lead nowhere.",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        @MainActor in
        struct Shelf { var shown: Cup? }
        let declaring = Declaring<Shelf> { Child(\.shown!) { CupFeature() } }
        _ = Store(state: Shelf(), interactor: declaring)
      })
    expectError(
      "Declare it at the optional property itself, or declare the elements of an array with Each.",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        @MainActor in ChildPlaceTests.make { Child(\.cups[0]) { CupFeature() } }
      })
  }

  @Test("C16 A place is the names of the properties, and never an address")
  func texts() throws {
    let store = Store(
      state: House(tray: Tray(cups: [Cup(id: 3)])),
      interactor: Declaring<House<Tray>> {
        Child(\.tray.cup) { CupFeature() }
        Child(\.tray.pair.left) { CupFeature() }
        Each(\.tray.cups) { _ in CupFeature() }
      })
    var places: [String] = []
    let subscription = store.events.flattened.sink { places.append($0.path) }
    store.child(\.tray.cup, CupFeature.self).dispatch(1)
    store.child(\.tray.pair.left, CupFeature.self).dispatch(1)
    store.child(\.tray.cups, id: 3, CupFeature.self)?.dispatch(1)
    #expect(Set(places) == ["", #"\.tray.cup"#, #"\.tray.pair.left"#, #"\.tray.cups[id: 3]"#])
    #expect(!ChildPath(\Tray.shown).property.contains("0x"))
    #expect(ChildPath(\Tray.shown).property.hasPrefix(#"\.<computed"#))
    subscription.cancel()
  }
}
