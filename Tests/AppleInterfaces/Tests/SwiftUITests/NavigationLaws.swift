import RandomPrograms
import Signalbox
import SignalboxUI
import SwiftUI
import Testing

/// Random programs of navigation, in which a user may be late.
@MainActor struct NavigationLaws {
  @Test(
    "N2 N3 N4 C6 What is shown lives, what has gone keeps its state, and late dismissals do nothing",
    arguments: LawPrograms.seeds(200))
  func law(seed: UInt64) async throws {
    let program = NavigationProgram(seed: seed)
    for _ in 0..<50 {
      program.step()
      try program.check()
    }
    await program.end()
    try program.check()
  }
}

/// A museum, its views, and what they should do.
@MainActor private final class NavigationProgram {
  private struct Gesture {
    let name: String
    let perform: @MainActor () -> Void
    /// What the user saw.
    let seen: NavigationOracle
  }

  private var random: SeededRandom
  private let seed: UInt64
  private let journal = MuseumJournal()
  private let store: Store<Museum, MuseumAction>
  private let host: Host
  private var oracle = NavigationOracle()
  private var gestures: [Gesture] = []
  private var number = 0
  private var lines: [String] = []

  init(seed: UInt64) {
    self.seed = seed
    random = SeededRandom(seed: seed)
    let store = Store(state: Museum(), interactor: MuseumFeature(journal: journal))
    self.store = store
    host = Host(MuseumView(store: store))
  }

  private func next() -> Int {
    number += 1
    return number
  }

  private func place() -> Place {
    let name = random.below(3)
    let room = Room(id: random.below(2), name: name, seen: name)
    return switch random.below(5) {
    case 0: .hall(Hall(name: name, seen: name))
    case 1, 2: .room(room)
    case 3: .cellar(of: room)
    default: .garden
    }
  }

  /// Changes a path as an action of the parent might.
  private func changed(_ path: [Place]) -> [Place] {
    var path = path
    let count = path.count
    switch random.below(8) {
    case 0, 1, 2: path.append(place())
    case 3: path = Array(path.prefix(random.below(count + 1)))
    case 4: if count > 0 { path[random.below(count)] = place() }
    case 5: path.shuffle(using: &random)
    case 6: if count > 0, count < 6 { path.append(path[random.below(count)]) }
    default: path = (0..<random.below(4)).map { _ in place() }
    }
    // The name of a dialog says where its screen is.
    for index in path.indices {
      let title = path[index].inside?.alert?.title ?? ""
      if !title.hasPrefix(path[index].key(at: index)) { path[index].inside?.alert = nil }
    }
    return path
  }

  func step() {
    switch random.below(12) {
    case 0, 1: write([changed(oracle.museum.path)])
    case 2:
      let first = changed(oracle.museum.path)
      write([first, changed(first)])
    case 3:
      let path = changed(oracle.museum.path)
      note("order \(path)")
      store.binder.order.wrappedValue = path
      oracle.commit { $0.order = path }
    case 4: ask()
    case 5: sheet()
    case 6: if let child = oracle.live.randomElement(using: &random) { act(in: child) }
    case 7: if let child = oracle.gone.randomElement(using: &random) { act(in: child) }
    case 8: frame()
    default: if let gesture = gestures.randomElement(using: &random) { perform(gesture) }
    }
  }

  private func write(_ paths: [[Place]]) {
    note("write \(paths)")
    if paths.count == 1 {
      store.binder.path.wrappedValue = paths[0]
      oracle.commit { $0.path = paths[0] }
    } else {
      store.dispatch(.batch(paths))
      oracle.commit({ $0.path = paths[0] }, { $0.path = paths[1] })
    }
  }

  private func ask() {
    let number = next()
    switch random.below(4) {
    case 0:
      note("no dialogs")
      store.binder.alert.wrappedValue = nil
      store.binder.confirmation.wrappedValue = nil
      oracle.commit { ($0.alert, $0.confirmation) = (nil, nil) }
    case 1:
      note("confirm \(number)")
      store.dispatch(.confirm(number))
      oracle.send(.confirm(number))
    default:
      note("ask \(number)")
      store.dispatch(.ask(number))
      oracle.send(.ask(number))
    }
  }

  private func sheet() {
    let memo = random.oneIn(4) ? nil : Memo(id: random.below(3))
    note("memo \(memo?.id ?? -1)")
    store.binder.memo.wrappedValue = memo
    oracle.commit { $0.memo = memo }
  }

  /// Sends an action to a child, which may be gone.
  private func act(in child: NavigationOracle.Child) {
    let action: InsideAction =
      switch random.below(7) {
      case 0, 1: .rename(next())
      case 2, 3: .ask(next(), name: child.key)
      case 4: .leave
      case 5: .push(place())
      default: .wait(next())
      }
    note("\(child.key) \(action)")
    if let hall = child.handle as? Store<Hall, InsideAction> { hall.send(action) }
    if let room = child.handle as? Store<Room, InsideAction> { room.send(action) }
    if let memo = child.handle as? Store<Memo, InsideAction> { memo.send(action) }
    oracle.send(action, to: child)
  }

  // MARK: - The user

  private func frame() {
    note("frame")
    host.update()
    #expect(host.texts == oracle.texts, "\(trace)")
    gestures += host.gestures.map { Gesture(name: $0.name, perform: $0.perform, seen: oracle) }
    // Most of what a user may do is from earlier frames.
    gestures = Array(gestures.suffix(40))
  }

  private func perform(_ gesture: Gesture) {
    for _ in 0..<(random.oneIn(4) ? 2 : 1) {
      note(gesture.name)
      gesture.perform()
      oracle.perform(gesture.name, seen: gesture.seen)
    }
  }

  // MARK: - What should be

  private func note(_ line: String) { lines.append(line) }

  private var trace: String { "seed \(seed)\n" + lines.suffix(12).joined(separator: "\n") }

  private func handle(_ child: NavigationOracle.Child) -> AnyObject? {
    if child.key.hasPrefix("memo") { return store.child(\.memo, InsideFeature<Memo>.self) }
    guard let index = oracle.keys.firstIndex(of: child.key) else { return nil }
    return store.child(\.path, at: index, InsideFeature<Hall>.self)
      ?? (store.child(\.path, at: index, InsideFeature<Room>.self) as AnyObject?)
  }

  private func state(_ handle: AnyObject?) -> (any Inside)? {
    (handle as? Store<Hall, InsideAction>)?.state ?? (handle as? Store<Room, InsideAction>)?.state
      ?? (handle as? Store<Memo, InsideAction>)?.state
  }

  func check() throws {
    try #require(store.state == oracle.museum, "\(trace)")
    try #require(journal.begun.sorted() == oracle.begun.sorted(), "\(trace)")
    try #require(journal.ended.sorted() == oracle.ended.sorted(), "\(trace)")
    try #require(journal.cancelled == oracle.cancelled, "\(trace)")
    for child in oracle.live {
      let found = try #require(handle(child), "\(trace)")
      let isKnown = (oracle.live + oracle.gone).contains { $0.handle === found }
      try #require(child.handle.map { $0 === found } ?? !isKnown, "\(trace)")
      child.handle = found
    }
    for child in oracle.live + oracle.gone {
      // What nobody has asked for before it went has no handle.
      guard let state = state(child.handle) else { continue }
      try #require(AnyInside(state) == AnyInside(child.state), "\(child.key) \(trace)")
    }
    try #require(host.faults == [], "\(trace)")
  }

  /// Pops everything, and lets all work write late.
  func end() async {
    write([[]])
    store.binder.memo.wrappedValue = nil
    oracle.commit { $0.memo = nil }
    await journal.idle()
  }
}

private struct AnyInside: Equatable {
  let state: any Inside
  init(_ state: any Inside) { self.state = state }

  static func == (a: AnyInside, b: AnyInside) -> Bool {
    func isSame<S: Inside>(_ state: S) -> Bool { state == b.state as? S }
    return isSame(a.state)
  }
}
