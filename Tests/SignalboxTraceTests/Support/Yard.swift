import RandomPrograms
import Signalbox

/// A state whose elements several writers change.
struct Yard: Equatable, Sendable {
  struct Gate: Equatable, Sendable { var width = 1, height = 1 }

  var label = ""
  var count = 0
  var gate: Gate?
  var plants: [Plant] = []
  var beds: [String: Plant] = [:]
  /// Elements whose ids no change names.
  var tools: [Tool] = []
}

struct Plant: Identifiable, Equatable, Sendable {
  /// All ids have the same text.
  struct ID: Hashable, Sendable, CustomStringConvertible {
    var number: Int
    var description: String { "a plant" }
  }

  /// An id that may be made of something redacted.
  var id: ID { ID(number: number) }
  @Redacted var number: Int
  var note = ""
  var height = 0
}

final class Tool: Identifiable, Equatable, Sendable {
  static func == (left: Tool, right: Tool) -> Bool { left === right }
}

enum YardAction: Sendable, CancellableAction {
  case change(UInt64)
  /// Changes the state, waits, and changes it again.
  case wait(UInt64)
  /// Changes more elements than are told apart.
  case sow(UInt64)
  case count

  var cancelIdentifier: Int? { if case .wait(let seed) = self { Int(seed % 3) } else { nil } }
  var overlap: Overlap { .latest }
}

enum YardHook: CaseIterable { case grown, labelled }

struct YardKeeper: Interactor {
  let gate: LawGate

  func onAction(_ action: YardAction, store: MutatingStore<Yard, YardAction>) async throws {
    switch action {
    case .change(let seed): Self.change(store, seed)
    case .wait(let seed):
      Self.change(store, seed)
      await gate.wait()
      Self.change(store, seed &+ 1)
    case .sow(let seed):
      let first = 10 + Int(seed % 100)
      store.plants.append(contentsOf: (first..<first + 1_200).map { Plant(number: $0) })
      store.plants.removeAll { $0.number > 10 }
    case .count: store.count += 1
    }
  }

  func subscription(for hook: YardHook, store: MutatingStore<Yard, YardAction>) -> Subscription {
    switch hook {
    case .grown:
      store.publisher.plants.map { $0.map(\.height).reduce(0, &+) }.sink { height in
        if height > 0, let last = store.plants.indices.last { store.plants[last].height = 0 }
      }
    case .labelled: store.publisher.label.sink { store.gate?.width = $0.utf8.count }
    }
  }

  func children(of store: MutatingStore<Yard, YardAction>) -> Children<Yard> {
    Each(\.plants) { _ in PlantKeeper() }
    Each(\.beds) { _ in PlantKeeper() }
  }

  @MainActor private static func change(_ store: MutatingStore<Yard, YardAction>, _ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let number = random.below(6)
    let isThere = store.plants.contains { $0.number == number }
    let place = store.plants.isEmpty ? nil : random.below(store.plants.count)
    switch random.below(13) {
    case 0, 1: if !isThere { store.plants.append(Plant(number: number, note: "\(seed)")) }
    case 2: if let place { store.plants.remove(at: place) }
    case 3: if let place { store.plants[place].note = "\(seed)" }
    case 4: if let place { store.plants[place].height += 1 }
    // Another element in the place of one.
    case 5: if let place, !isThere { store.plants[place] = Plant(number: number) }
    case 6: store.plants.shuffle(using: &random)
    case 7:
      store.batch {
        store.plants.reverse()
        if !isThere { store.plants.insert(Plant(number: number), at: 0) }
        store.beds["bed \(number)"]?.note = "\(seed)"
      }
    case 8: store.beds["bed \(number)"] = random.oneIn(3) ? nil : Plant(number: number)
    case 9: store.gate = random.oneIn(3) ? nil : Yard.Gate(width: 1, height: random.below(3))
    case 10: store.gate?.height += 1
    case 11: store.tools.append(Tool())
    default: store.state.label = "\(seed)"
    }
  }
}

struct PlantKeeper: Interactor {
  enum Action: Sendable { case change(UInt64) }

  func onAction(_ action: Action, store: MutatingStore<Plant, Action>) async throws {
    guard case .change(let seed) = action else { return }
    if seed % 2 == 0 { store.note = "\(seed)" } else { store.height += 1 }
  }
}

/// A part of a yard that `why` is asked about.
enum YardPart: Hashable {
  case whole, label, count, plants, beds, gate, width, tools
  case plant(Plant.ID)
  case note(Plant.ID)
  case bed(String)
}

/// Notes which event has changed each part last, by comparing the states.
@MainActor final class YardWitness: EventRecorder {
  private(set) var last: [YardPart: Int] = [:]
  private var causes: [Int: Int] = [:]

  /// An event and those that led to it.
  func chain(of event: Int) -> [Int] {
    var chain = [event]
    while let last = chain.last, let cause = causes[last] { chain.append(cause) }
    return chain
  }

  func record(_ event: StoreEvent<Yard, YardAction>) {
    causes[event.id] = event.cause
    guard case .stateChanged(let old, let new) = event.kind else { return }
    if old != new { last[.whole] = event.id }
    let (was, now) = (Self.values(old), Self.values(new))
    for part in Set(was.keys).union(now.keys) where was[part] != now[part] { last[part] = event.id }
  }

  func storeWasReleased() {}

  private static func values(_ yard: Yard) -> [YardPart: AnyHashable] {
    var values: [YardPart: AnyHashable] = [
      .label: yard.label, .count: yard.count, .tools: yard.tools.count,
      .plants: yard.plants.map { [$0.number, $0.note, $0.height] as [AnyHashable] },
      .beds: yard.beds.mapValues { [$0.number, $0.note, $0.height] as [AnyHashable] },
      .gate: yard.gate.map { [$0.width, $0.height] }, .width: yard.gate?.width,
    ]
    for plant in yard.plants {
      values[.plant(plant.id)] = [plant.number, plant.note, plant.height] as [AnyHashable]
      values[.note(plant.id)] = plant.note
    }
    for (key, plant) in yard.beds {
      values[.bed(key)] = [plant.number, plant.note, plant.height] as [AnyHashable]
    }
    return values
  }
}
