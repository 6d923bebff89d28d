import Foundation
import Signalbox

/// Types with every kind of field.
extension FieldShape {
  struct Sizes {
    var byte: Int8
    var text: String
    var maybe: Int?
    var number: Double
    var list: [Int]
    var flag: Bool?

    init(_ n: [Int]) {
      byte = Int8(n[0])
      text = FieldShape.text(n[1])
      maybe = n[2] == 0 ? nil : n[2]
      number = Double(n[3])
      list = [n[4]]
      flag = [nil, false, true][n[5]]
    }
  }

  struct Within {
    let flag: Bool
    let sizes: Sizes
    let pair: (Int8, label: String)
    let last: Int16
  }

  struct Several {
    let one: Sizes?
    let list: [Sizes]
    let table: [Int: Sizes]
    let texts: [String]
    let numbers: Set<Int>
  }

  struct Existentials {
    let any: Any
    let error: any Error
    let shown: any CustomStringConvertible
    let type: Any.Type
    let object: AnyObject
    let rest: [Int]
  }

  struct Failure: Error { let code: Int }

  class Parent {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  final class Child: Parent {
    let extra: Int
    init(_ number: Int, extra: Int) {
      self.extra = extra
      super.init(number)
    }
  }

  struct Objects {
    let base: Parent
    let rest: [Int]
  }

  class Tag: Equatable {
    let number: Int
    init(_ number: Int) { self.number = number }
    static func == (a: Tag, b: Tag) -> Bool { a.number == b.number }
  }

  final class SubTag: Tag {}

  struct Tagged {
    let tag: Tag
    let rest: [Int]
    let function: (@Sendable () -> Void)? = nil
  }

  struct Weak {
    let strong: HeldLink
    weak var weak: HeldLink?
    unowned let unowned: HeldLink
    let rest: [Int]

    init(_ link: HeldLink, isNil: Bool, rest: [Int]) {
      strong = link
      weak = isNil ? nil : link
      unowned = link
      self.rest = rest
    }
  }

  struct Functions {
    let function: () -> Void
    let type: Int.Type
    let rest: [Int]
  }

  enum Choice {
    case none
    case sizes(Sizes)
    case number(Int)
  }

  struct Cases {
    let choice: Choice
    let rest: [Int]
  }

  struct Two<A, B> {
    let a: A
    let b: B
  }

  @propertyWrapper struct Wrapper<Value> {
    var wrappedValue: Value
    var uses: UInt8 = 0
  }

  struct Wrapping {
    @Wrapper var plain: Sizes
    @Redacted var secret: Sizes
  }

  struct Reflected: CustomReflectable {
    let unseen: Int
    let seen: Sizes
    var customMirror: Mirror {
      Mirror(self, children: ["seen": seen, "also": 1], displayStyle: .struct)
    }
  }

  struct AroundMirror {
    let mirroring: Reflected
    let flag: Bool
  }

  struct Noisy<Value> {
    let noise: Int
    let value: Value
  }

  struct Lax: Equatable {
    let seen: Int
    let unseen: Int
    static func == (a: Lax, b: Lax) -> Bool { a.seen == b.seen }
  }

  struct Loose {
    let lax: Lax
    let rest: [Int]
    let any: Any = 1
  }

  struct Unequal {
    let nan: Double
    let nans: [Double]
    let maybe: Double?
    let signaling: Double
    let rest: [Int]
    let any: Any = Double.nan
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  struct Inline {
    let bytes: InlineArray<2, Int8>
    let anys: InlineArray<2, Any>
    let rest: [Int]
  }

  struct Imported {
    let quotient: div_t
    let rest: [Int]
  }
}

extension FieldShape.Noisy: CustomReflectable where Value == [Int] {
  var customMirror: Mirror {
    Mirror(self, children: ["value": value, "also": 1], displayStyle: .struct)
  }
}

/// An object that holds a struct that holds an object.
final class HeldLink {
  struct Held {
    var number: Int
    var next: HeldLink?
    var any: Any = 1
  }

  var held: Held

  init(_ number: Int, _ next: HeldLink? = nil) { held = Held(number: number, next: next) }

  /// Releases the chain link by link, because releasing the first link would nest all other
  /// releases.
  func takeApart() {
    var link: HeldLink? = self
    while let current = link {
      link = current.held.next
      current.held.next = nil
    }
  }
}
