import Observation
import Testing

@testable import Signalbox

/// Asking a store for a child, as the body of a view does, tracks which child is there.
@MainActor struct TrackedChildTests {
  private let store = Store(state: StationState(), interactor: Station())
  private let foyer = Store(state: Foyer(), interactor: FoyerFeature())
  private let mail = Store(state: MailState(), interactor: MailFeature())

  /// Whether a write notifies what has read.
  private func notifies(_ read: () -> Void, _ write: () -> Void) -> Bool {
    var isNotified = false
    withObservationTracking(read) { MainActor.assumeIsolated { isNotified = true } }
    write()
    return isNotified
  }

  @Test("M5 C4 An optional child is tracked when it comes and goes, and not what is in it")
  func optional() {
    let read = { _ = store.child(\.editor, StationEditor.self) }
    let binder = store.binder
    #expect(notifies(read) { binder.editor.wrappedValue = StationEditorState() })
    #expect(!notifies(read) { binder.editor.wrappedValue?.text = "x" })
    #expect(notifies(read) { binder.editor.wrappedValue = nil })
  }

  @Test("M5 C12 A child in a case is tracked by its case and its id")
  func inCase() {
    let route = foyer.binder.route
    let read = { _ = foyer.child(case: \.route, FoyerRoute.room, RoomFeature.self) }
    #expect(notifies(read) { route.wrappedValue = .room(FoyerRoom()) })
    #expect(!notifies(read) { route.wrappedValue = .room(FoyerRoom(size: 3)) })
    #expect(notifies(read) { route.wrappedValue = .attic(FoyerRoom()) })
    let guest = { _ = foyer.child(case: \.route, FoyerRoute.named, GuestFeature.self) }
    #expect(notifies(guest) { route.wrappedValue = .named(guest: FoyerGuest(id: 1)) })
    #expect(!notifies(guest) { route.wrappedValue = .named(guest: FoyerGuest(id: 1, name: "x")) })
    #expect(notifies(guest) { route.wrappedValue = .named(guest: FoyerGuest(id: 2)) })
    // The destination is an optional of the enum.
    let sheet = foyer.binder.sheet
    let inSheet = { _ = foyer.child(case: \.sheet, FoyerRoute.room, RoomFeature.self) }
    #expect(notifies(inSheet) { sheet.wrappedValue = .lobby })
    #expect(notifies(inSheet) { sheet.wrappedValue = .room(FoyerRoom()) })
    #expect(!notifies(inSheet) { sheet.wrappedValue = .room(FoyerRoom(size: 3)) })
    #expect(notifies(inSheet) { sheet.wrappedValue = nil })
  }

  @Test("M5 C12 So is a child in a case of a child")
  func inChild() throws {
    foyer.binder.route.wrappedValue = .room(FoyerRoom())
    let room = try #require(foyer.child(case: \.route, FoyerRoute.room, RoomFeature.self))
    let read = { _ = room.child(case: \.corner, FoyerCorner.shelf, ShelfFeature.self) }
    #expect(notifies(read) { room.binder.corner.wrappedValue = .shelf(FoyerShelf()) })
    #expect(!notifies(read) { room.binder.size.wrappedValue += 1 })
    #expect(notifies(read) { foyer.binder.route.wrappedValue = .room(FoyerRoom()) })
  }

  @Test("M5 N2 The child of a screen is tracked by the cases and the ids of the path")
  func screens() {
    let path = mail.binder.path
    let read = { _ = mail.child(\.path, at: 0, MessageFeature.self) }
    #expect(notifies(read) { path.wrappedValue = [.message(MessageScreen(id: 1))] })
    #expect(!notifies(read) { path.wrappedValue = [.message(MessageScreen(id: 1, text: "x"))] })
    #expect(notifies(read) { path.wrappedValue = [.message(MessageScreen(id: 2))] })
    #expect(notifies(read) { path.wrappedValue = [.about] })
  }

  @Test("M5 The children of a collection are tracked by the ids of the collection")
  func collections() {
    let (rows, sensors) = (store.binder.rows, store.binder.sensors)
    let row = { _ = store.child(\.rows, id: 1, StationRow.self) }
    #expect(notifies(row) { rows.wrappedValue = [StationRowState(id: 1)] })
    #expect(!notifies(row) { rows.wrappedValue[0].text = "x" })
    #expect(notifies(row) { rows.wrappedValue = [] })
    let sensor = { _ = store.child(\.sensors, id: "a", StationRow.self) }
    #expect(notifies(sensor) { sensors.wrappedValue["a"] = StationRowState() })
    #expect(!notifies(sensor) { sensors.wrappedValue["a"]?.text = "x" })
    #expect(notifies(sensor) { sensors.wrappedValue = [:] })
  }

  @Test("M5 Asking for a child where nothing is tracked observes nothing")
  func untracked() {
    store.binder.rows.wrappedValue = [StationRowState(id: 1)]
    _ = store.child(\.rows, id: 1, StationRow.self)
    _ = store.child(\.editor, StationEditor.self)
    _ = foyer.child(case: \.route, FoyerRoute.room, RoomFeature.self)
    #expect(store.engine.storage.cells.values.allSatisfy { $0.parts.isEmpty })
    #expect(foyer.engine.storage.cells.values.allSatisfy { $0.parts.isEmpty })
    withObservationTracking {
      _ = store.child(\.rows, id: 1, StationRow.self)
    } onChange: {
    }
    #expect(!store.engine.storage.cells.values.allSatisfy { $0.parts.isEmpty })
  }
}
