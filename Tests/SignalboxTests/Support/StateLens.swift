import Signalbox

/// The state of the random programs, with one property of each kind.
struct LawState {
  struct User: Equatable {
    var name = "0"
    var age = 0
    var home = Home(city: "0", rooms: 0)
  }

  /// A struct whose only property is a struct, so that both have the same bytes.
  struct Shelf: Equatable {
    struct Box: Equatable { var label = "0" }
    var box = Box()
  }

  /// A struct that is not comparable.
  struct Crate { var weight = 0 }

  /// A class that is not comparable, with a number for the oracle.
  final class Badge {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  var a = 0
  var text = "0"
  var user = User()
  var items = [0]
  var note: String?
  var badge = Badge(0)
  var point = Point()
  var shelf = Shelf()
  var crate = Crate()
  var level = 0 { didSet {} }
  var headline: String {
    get { "<\(text)>" }
    set { text = String(newValue.dropFirst().dropLast()) }
  }

  static func make(_ seed: Int) -> LawState {
    LawState(
      a: seed, text: "\(seed / 2)", user: User(name: "\(seed)"), items: [0, seed],
      badge: Badge(seed), point: Point(x: seed / 2),
      shelf: Shelf(box: .init(label: "\(seed / 2)")), crate: Crate(weight: seed), level: seed / 2)
  }
}

/// A part of the state, with ways to observe and write it through the store and in the oracle.
///
/// The oracle knows only plain values.
@MainActor struct StateLens {
  typealias Writer = MutatingStore<LawState, Never>

  let name: String
  let path: [String]
  var isComparable = true
  var isTrivial = false
  /// Whether the library knows which other parts a write to it can change.
  var hasPlace = true
  let read: @MainActor (LawState) -> String
  let observe: (Writer, @escaping @MainActor (String) -> Void) -> Subscription
  let assign: (Writer, Int) -> Void
  let force: (Writer, Int) -> Void
  let mutate: (Writer, Int) -> Void
  let assignPlainly: (inout LawState, Int) -> Void
  let mutatePlainly: (inout LawState, Int) -> Void

  /// Whether it can be `nil`, which in-place mutation checks even where nothing is compared.
  var isOptional: Bool { name == "note" }

  func contains(_ other: StateLens) -> Bool { other.path.starts(with: path) }
  func overlaps(_ other: StateLens) -> Bool { contains(other) || other.contains(self) }

  static func comparable<T: Equatable>(
    _ name: String, _ keyPath: WritableKeyPath<LawState, T>, hasPlace: Bool = true,
    isTrivial: Bool = false, make: @escaping (Int) -> T,
    mutate: @escaping (inout T, Int) -> Void
  ) -> StateLens {
    StateLens(
      name: name, path: name.split(separator: ".").map(String.init), isTrivial: isTrivial,
      hasPlace: hasPlace,
      read: { "\($0[keyPath: keyPath])" },
      observe: { store, receive in
        store.publisher[dynamicMember: keyPath].sink { receive("\($0)") }
      },
      assign: { $0[dynamicMember: keyPath] = make($1) },
      force: { $0.set(keyPath, make($1), forceUpdate: true) },
      mutate: { mutate(&$0[dynamicMember: keyPath], $1) },
      assignPlainly: { $0[keyPath: keyPath] = make($1) },
      mutatePlainly: { mutate(&$0[keyPath: keyPath], $1) })
  }

  static func incomparable<T>(
    _ name: String, path: [String], _ keyPath: WritableKeyPath<LawState, T>,
    describe: @escaping @MainActor (T) -> String, make: @escaping (Int) -> T
  ) -> StateLens {
    StateLens(
      name: name, path: path, isComparable: false,
      read: { describe($0[keyPath: keyPath]) },
      observe: { store, receive in
        store.publisher[dynamicMember: keyPath].sink { receive(describe($0)) }
      },
      assign: { $0[dynamicMember: keyPath] = make($1) },
      force: { $0.set(keyPath, make($1), forceUpdate: true) },
      mutate: { $0[dynamicMember: keyPath] = make($1) },
      assignPlainly: { $0[keyPath: keyPath] = make($1) },
      mutatePlainly: { $0[keyPath: keyPath] = make($1) })
  }

  static let whole = incomparable(
    "self", path: [], \.self, describe: { describe($0) }, make: LawState.make)

  static let all: [StateLens] = [
    whole,
    comparable("a", \.a, isTrivial: true, make: { $0 }, mutate: { $0 += $1 % 2 }),
    comparable("text", \.text, make: { "\($0)" }, mutate: { if $1 > 1 { $0.append("\($1)") } }),
    comparable(
      "user", \.user, make: { .init(name: "\($0)", age: $0 / 2) },
      mutate: {
        $0.home.rooms += $1 % 2
      }),
    comparable("user.name", \.user.name, make: { "\($0)" }, mutate: { if $1 > 1 { $0 = "\($1)" } }),
    comparable("user.age", \.user.age, isTrivial: true, make: { $0 }, mutate: { $0 = $1 }),
    comparable(
      "user.home", \.user.home, make: { Home(city: "0", rooms: $0) }, mutate: { $0.rooms = $1 }),
    comparable("user.home.city", \.user.home.city, make: { "\($0)" }, mutate: { $0 = "\($1 / 2)" }),
    comparable("items", \.items, make: { [$0] }, mutate: { $0.append($1) }),
    comparable(
      "note", \.note, make: { $0 == 0 ? nil : "\($0)" }, mutate: { $0 = $1 == 0 ? nil : "1" }),
    incomparable(
      "badge", path: ["badge"], \.badge, describe: { "#\($0.number)" }, make: LawState.Badge.init),
    comparable(
      "point", \.point, isTrivial: true, make: { Point(x: $0, y: $0 / 2) }, mutate: { $0.y = $1 }),
    comparable("point.x", \.point.x, isTrivial: true, make: { $0 }, mutate: { $0 = $1 }),
    comparable(
      "shelf", \.shelf, make: { .init(box: .init(label: "\($0 / 2)")) },
      mutate: { $0.box.label = "\($1)" }),
    comparable(
      "shelf.box", \.shelf.box, make: { .init(label: "\($0)") },
      mutate: { if $1 > 1 { $0.label.append("\($1)") } }),
    comparable(
      "shelf.box.label", \.shelf.box.label, make: { "\($0 / 2)" }, mutate: { $0 = "\($1)" }),
    incomparable(
      "crate", path: ["crate"], \.crate, describe: { "#\($0.weight)" },
      make: LawState.Crate.init),
    comparable(
      "crate.weight", \.crate.weight, isTrivial: true, make: { $0 / 2 }, mutate: { $0 = $1 }),
    comparable("level", \.level, hasPlace: false, make: { $0 }, mutate: { $0 += $1 + 1 }),
    comparable(
      "headline", \.headline, hasPlace: false, make: { "<\($0)>" },
      mutate: {
        $0 = "<\($0.dropFirst().dropLast())\($1)>"
      }),
  ]

  private static func describe(_ state: LawState) -> String {
    all.dropFirst().map { $0.read(state) }.joined(separator: "|")
  }
}
