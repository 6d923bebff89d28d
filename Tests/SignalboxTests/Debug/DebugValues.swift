import Signalbox

struct Plain: Equatable {
  var a = 1
  var b: String?
}

enum Shape: Equatable {
  case point
  case circle(Double)
  case named(String, size: Int)
}

enum Trouble: Error { case bad }

/// An enum with a case that begins with the enum's name.
enum S {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case Same
}

struct Large: CustomDebugStringConvertible {
  var cells = Array(repeating: 1, count: 200)
  var debugDescription: String { "Large" }
}

struct Animal: CustomDebugStringConvertible {
  var name = "kept"
  var debugDescription: String { "Animal(\(name))" }
}

class Base {
  var base = 1
}

final class Sub: Base {
  var own = "x"
}

@propertyWrapper struct Bounded: Equatable {
  var wrappedValue: Int
  var upper = 10
}

struct Knob: Equatable {
  @Bounded var count = 3
  var plain = 1
  var _private = 2

  init(upper: Int = 10) { _count.upper = upper }
}

struct Mirroring: CustomReflectable {
  var hidden = 1
  var customMirror: Mirror { Mirror(self, children: ["shown": 1]) }
}

struct Generic<Value> {
  var value: Value
}

extension Generic: Equatable where Value: Equatable {}

final class Chain {
  var value: Int
  var next: Chain?

  init(_ value: Int, _ next: Chain?) {
    self.value = value
    self.next = next
  }

  /// Releases the chain link by link, because releasing the first link would nest all other
  /// releases.
  func takeApart() {
    var link = next
    next = nil
    while let current = link {
      link = current.next
      current.next = nil
    }
  }
}

struct Session: Equatable {
  var user = "ann"
  @Redacted var token = "s3cret"
  var shouted: String { user.uppercased() }
}

struct Talker: CustomDebugStringConvertible {
  @Redacted var secret = "s3cret"
  var debugDescription: String { "Talker(\(secret))" }
}

struct Holder {
  var inner: Inner?
}

struct Inner {
  var plain = Plain()
}

/// A class whose instances look alike and are compared by identity.
final class Badge: Equatable {
  static func == (a: Badge, b: Badge) -> Bool { a === b }
}

actor Worker {
  var isBusy = false
}

struct Note: Identifiable, Equatable {
  var id: Int
  var text = "text"
  var tags: [String] = []
}

indirect enum Deep: Equatable {
  case leaf(Int)
  case node(Int, Deep)

  static func make(_ levels: Int, leaf: Int = 0) -> Deep {
    (0..<levels).reduce(.leaf(leaf)) { .node($1, $0) }
  }
}

/// A state with 20 fields.
struct Wide: Equatable {
  var a = 0
  var b = 0
  var c = 0
  var d = 0
  var e = 0
  var f = 0
  var g = 0
  var h = 0
  var i = 0
  var j = 0
  var k = ""
  var l = ""
  var m = ""
  var n = ""
  var o = ""
  var p = ""
  var q = ""
  var r = ""
  var s = ""
  var t = ""
}
