import Testing

@testable import Signalbox
@testable import SignalboxInspection

/// How a change in the payload of a case is named, for finding out who changed it.
@MainActor struct NamedPayloadTests {
  private func parts(_ old: Foyer, _ new: Foyer) -> [String] {
    ValueDifference.changes(from: old, to: new).parts.map { "\($0.path.map(name)) \($0.extent)" }
  }

  private func name(_ step: ChangedPart.Step) -> String {
    switch step {
    case .property(let name): name
    case .element(let id): "[\(id)]"
    }
  }

  @Test("C12 R5 A change in a payload is named by the property, the case and what changed in it")
  func names() {
    let foyer = Foyer(route: .room(FoyerRoom()), sheet: .named(guest: FoyerGuest()))
    #expect(
      parts(foyer, Foyer(route: .room(FoyerRoom(name: "x")), sheet: foyer.sheet))
        == [#"["route", "room", "name"] unnamed"#])
    #expect(
      parts(foyer, Foyer(route: foyer.route, sheet: .named(guest: FoyerGuest(name: "x"))))
        == [#"["sheet", "named", "name"] unnamed"#])
    #expect(
      parts(foyer, Foyer(route: .attic(FoyerRoom()), sheet: foyer.sheet)) == [#"["route"] whole"#])
    #expect(parts(foyer, Foyer(route: foyer.route)) == [#"["sheet"] whole"#])
  }

  @Test("C12 R5 The steps to a child in a case are those that a change in it has")
  func steps() throws {
    let store = Store(
      state: Foyer(route: .room(FoyerRoom(corner: .shelf(FoyerShelf())))),
      interactor: FoyerFeature())
    let shelf = try #require(
      store.child(case: \.route, FoyerRoute.room, RoomFeature.self)?
        .child(case: \.corner, FoyerCorner.shelf, ShelfFeature.self))
    #expect(
      shelf.eventLog.steps { ChangedPart.steps(to: $0, in: $1) }?.map(name) == [
        "route", "room", "corner", "shelf",
      ])
    #expect(shelf.eventLog.isUnique)
  }
}
