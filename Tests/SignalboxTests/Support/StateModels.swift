struct Person: Equatable {
  var name = "Ada"
  var age = 36
  var home = Home()
}

struct Home: Equatable {
  var city = "London"
  var rooms = 3
}

struct Item: Equatable {
  var text = ""
  var isDone = false
}

/// A trivially copyable struct.
struct Point: Equatable {
  var x = 0
  var y = 0
}

struct Room: Equatable {
  var count = 0
  var title = "hall"
  var person = Person()
  var point = Point()
  var items = [Item(text: "a"), Item(text: "b")]
  var note: String?
  var guest: Person?

  var headline: String {
    get { "\(title) (\(count))" }
    set { title = newValue }
  }
  var doneCount: Int { items.count { $0.isDone } }
  var level = 0 { didSet { levelChanges += 1 } }
  var levelChanges = 0
  @Clamped var volume = 5
}

@propertyWrapper struct Clamped: Equatable {
  private var value: Int

  init(wrappedValue: Int) { value = min(max(wrappedValue, 0), 10) }

  var wrappedValue: Int {
    get { value }
    set { value = min(max(newValue, 0), 10) }
  }
}

/// A class that is not comparable.
final class Token {}

/// Compares only its `id`.
struct Tagged: Equatable {
  var id = 0
  var label = ""

  static func == (l: Self, r: Self) -> Bool { l.id == r.id }
}

/// A trivially copyable struct that compares only its `id`.
struct Counted: Equatable {
  var id = 0
  var hits = 0

  static func == (l: Self, r: Self) -> Bool { l.id == r.id }
}

struct Refused: Error, Equatable {}

extension [Item] {
  mutating func appendAndRefuse(_ text: String) throws {
    append(Item(text: text))
    throw Refused()
  }
}

extension Int {
  mutating func addAndRefuse() throws {
    self += 1
    throw Refused()
  }
}
