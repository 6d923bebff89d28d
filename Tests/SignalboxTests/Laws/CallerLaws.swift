import RandomPrograms
import Testing

@testable import Signalbox

/// Random programs of children whose work calls closures of the parent, beside a list of what is alive.
@MainActor @Suite(.opensGates) struct CallerLaws {
  @Test(
    "C11 H4 Exactly what work that can still write does in the parent happens, and is caused by it")
  func callers() async {
    var dropped = 0
    var written = 0
    let seeds = LawPrograms.seeds(200)
    for seed in seeds {
      let program = CallerProgram(seed: seed)
      await program.run()
      let mistakes = program.mistakes
      #expect(mistakes.isEmpty, "seed \(seed): \(program.steps.joined(separator: ", "))")
      dropped += program.expectedDrops
      written += program.expectedLog.count
    }
    #expect(dropped > seeds.count / 2, "late work tries something")
    #expect(written > 5 * seeds.count, "the programs do something")
  }
}

/// A manor with rooms, cells in them and errands, each of which notes something before and after doors.
@MainActor private final class CallerProgram {
  /// A piece of work, as the program knows it.
  private final class Piece {
    let number: Int
    let child: Int
    /// Whether what it does reaches the parent.
    var isAlive = true
    var doors: Int

    init(_ number: Int, of child: Int, doors: Int) {
      (self.number, self.child, self.doors) = (number, child, doors)
    }
  }

  /// A live child, and a handle to it.
  private struct Site {
    let number: Int
    let room: Int
    let isCell: Bool
    let store: Store<ManorRoomState, ManorErrand>
  }

  private(set) var steps: [String] = []
  private(set) var expectedLog: [String] = []
  private(set) var expectedDrops = 0
  private(set) var mistakes: [String] = []
  private var random: SeededRandom
  private let gate = StoreGate()
  private let store: Store<ManorState, ManorAction>
  private var sites: [Site] = []
  private var waiting: [Piece] = []
  private var named: [Int: Piece] = [:]
  private var children = 0
  private var pieces = 0
  private var drops = 0
  /// The errand of each event, and the errand that caused each line of the log.
  private var errands: [Int: String] = [:]
  private var causes: [String: String] = [:]

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    store = Store(state: ManorState(), interactor: ManorFeature(gate: gate))
  }

  func run() async {
    let subscription = store.events.sink { [unowned self] in note($0) }
    for _ in 0..<40 {
      switch random.below(8) {
      case 0: addRoom()
      case 1: removeRoom()
      case 2, 3, 4: start()
      default: await open()
      }
    }
    while !waiting.isEmpty { await open() }
    if store.log != expectedLog { mistakes.append("the log is \(store.log), not \(expectedLog)") }
    if drops != expectedDrops { mistakes.append("\(drops) dropped, not \(expectedDrops)") }
    for (line, errand) in causes where !line.hasPrefix(errand + " ") {
      mistakes.append("\(line) is caused by \(errand)")
    }
    withExtendedLifetime(subscription) {}
  }

  private func note(_ event: StoreEvent<ManorState, ManorAction>) {
    switch event.kind {
    case .child(let child):
      if case .dispatched(let errand as ManorErrand) = child.event.kind {
        errands[event.id] = errand.description
      }
    case .stateChanged(let old, let new):
      if let line = new.log.last, new.log.count == old.log.count + 1 {
        causes[line] = event.cause.flatMap { errands[$0] } ?? "outside"
      }
    case .dropped: drops += 1
    default: break
    }
  }

  // MARK: - Steps

  private func addRoom() {
    children += 2
    let (room, cell) = (children - 1, children)
    steps.append("add \(room)")
    store.binder.rooms.wrappedValue.append(
      ManorRoomState(id: room, cells: [ManorRoomState(id: cell)]))
    guard let handle = store.child(\.rooms, id: room, ManorRoom.self),
      let inner = handle.child(\.cells, id: cell, ManorCell.self)
    else { return mistakes.append("room \(room) is missing") }
    sites.append(Site(number: room, room: room, isCell: false, store: handle))
    sites.append(Site(number: cell, room: room, isCell: true, store: inner))
  }

  private func removeRoom() {
    guard let room = sites.filter({ !$0.isCell }).map(\.room).randomElement(using: &random) else {
      return
    }
    steps.append("remove \(room)")
    // The end of a room may be the doing of one of its own errands, or of another room's.
    if random.oneIn(2), let site = sites.randomElement(using: &random) {
      pieces += 1
      let text = "\(pieces)"
      if store.rooms.contains(where: { $0.id == room }) { end(room, by: site, text) }
    } else {
      store.binder.rooms.wrappedValue.removeAll { $0.id == room }
      hasEnded(room)
    }
  }

  /// Has an errand end a room, and note something afterwards.
  private func end(_ room: Int, by site: Site, _ text: String) {
    steps.append("by \(text) of \(site.number)")
    expectedLog.append("\(text) after")
    site.store.send(
      ManorErrand(description: text, isNamed: false) { parent in
        parent.rooms.removeAll { $0.id == room }
        parent.log.append("\(text) after")
      })
    hasEnded(room)
  }

  private func hasEnded(_ room: Int) {
    let gone = Set(sites.filter { $0.room == room }.map(\.number))
    sites.removeAll { $0.room == room }
    for piece in waiting where gone.contains(piece.child) { piece.isAlive = false }
  }

  private func start() {
    guard let site = sites.randomElement(using: &random) else { return }
    pieces += 1
    let piece = Piece(pieces, of: site.number, doors: random.below(3))
    let isNamed = random.oneIn(2)
    if isNamed {
      named[site.number]?.isAlive = false
      named[site.number] = piece
    }
    let text = "\(piece.number)"
    steps.append("start \(text) in \(site.number)\(isNamed ? ", named" : ""), \(piece.doors) doors")
    expectedLog.append("\(text) begins")
    if piece.doors > 0 { waiting.append(piece) }
    let (gate, doors, inTask) = (gate, piece.doors, random.oneIn(2))
    site.store.send(
      ManorErrand(description: text, isNamed: isNamed) { parent in
        parent.log.append("\(text) begins")
        for door in 0..<doors {
          try await gate.pass("\(text) \(door)")
          if inTask {
            async let noted: Void = Self.note("\(text) passes \(door)", in: parent)
            await noted
          } else {
            parent.log.append("\(text) passes \(door)")
          }
          gate.arrive(at: "\(text) behind \(door)")
        }
      })
  }

  private static func note(_ text: String, in parent: ManorStore) async { parent.log.append(text) }

  private func open() async {
    guard let piece = waiting.randomElement(using: &random) else { return }
    let door = gate.hasArrival(at: "\(piece.number) 1") ? 1 : 0
    steps.append("open \(piece.number) \(door)")
    gate.open("\(piece.number) \(door)")
    await gate.arrival(at: "\(piece.number) behind \(door)")
    if piece.isAlive {
      expectedLog.append("\(piece.number) passes \(door)")
    } else {
      expectedDrops += 1
    }
    piece.doors -= 1
    if piece.doors == 0 {
      waiting.removeAll { $0 === piece }
      if named[piece.child] === piece { named[piece.child] = nil }
    }
  }
}
