import Testing

@testable import Signalbox

/// What the runtime says of the cases of enums, against what the compiler does.
@MainActor struct EnumShapeTests {
  struct Large: Equatable {
    var text = "a text with more than fifteen letters"
    var numbers = [1, 2, 3]
    var flag = true
  }

  struct Empty: Equatable {}
  final class Thing {}

  /// Whether a case gives back what was put into it, and nothing of the others.
  private func holds<Enum, Value: Equatable>(
    _ embed: @escaping (Value) -> Enum, _ value: Value, not others: [Enum], name: String? = nil
  ) -> Bool {
    let enumCase = EnumCase(embed)
    guard enumCase.payload(of: embed(value)) == value else { return false }
    if let name, enumCase.name != name { return false }
    let address = UnsafeMutablePointer<Enum>.allocate(capacity: 1)
    defer { unsafe address.deallocate() }
    unsafe enumCase.put(value, at: address)
    let isBack = unsafe enumCase.payload(of: address.move()) == value
    return isBack && others.allSatisfy { enumCase.payload(of: $0) == nil }
  }

  enum Single { case only(Large) }

  enum Mixed {
    case a(Large)
    case b(Large)
    case c(other: Large)
    case d(Int, String)
    case e(Thing)
    case f(Empty)
    case g
  }

  indirect enum Boxed {
    case a(Large)
    case b(UInt8)
    case c(Boxed)
    case d
  }

  enum Half {
    case a(Bool)
    case b(Bool)
    case c(UInt8)
  }

  enum Generic<T: Equatable>: Equatable {
    case a(T)
    case b([T])
    case c
  }

  enum Wide {
    case a(SIMD4<Double>)
    indirect case b(SIMD4<Double>)
    case c(String)
  }

  @Test("C12 Each case gives back its associated values, whatever the layout of the enum is")
  func layouts() {
    let large = Large()
    #expect(holds(Single.only, large, not: [], name: "only"))
    let thing = Thing()
    let others: [Mixed] = [.d(1, "x"), .e(thing), .f(Empty()), .g]
    #expect(holds(Mixed.a, large, not: others + [.b(large), .c(other: large)], name: "a"))
    #expect(holds(Mixed.b, large, not: others + [.a(large), .c(other: large)], name: "b"))
    #expect(holds(Mixed.c, large, not: others + [.a(large), .b(large)], name: "c"))
    #expect(holds(Mixed.f, Empty(), not: [.a(large), .e(thing), .g], name: "f"))
    #expect(EnumCase(Mixed.e).payload(of: .e(thing)) === thing)
    #expect(EnumCase(Mixed.d).payload(of: .d(7, "x")).map { $0 == (7, "x") } == true)
    #expect(holds(Boxed.a, large, not: [.b(1), .c(.d), .d], name: "a"))
    #expect(holds(Boxed.b, 255, not: [.a(large), .c(.d), .d], name: "b"))
    #expect(holds(Half.a, true, not: [.b(true), .c(1)], name: "a"))
    #expect(holds(Half.b, true, not: [.a(true), .c(1)], name: "b"))
    #expect(holds(Half.c, 255, not: [.a(true), .b(false)], name: "c"))
    #expect(holds(Generic<Large>.a, large, not: [.b([large]), .c], name: "a"))
    #expect(holds(Generic<Large>.b, [large], not: [.a(large), .c], name: "b"))
    #expect(holds(Generic<Generic<Int>>.a, .a(1), not: [.b([.c]), .c], name: "a"))
    let vector = SIMD4(1.0, 2, 3, 4)
    #expect(holds(Wide.a, vector, not: [.b(vector), .c("")], name: "a"))
    #expect(holds(Wide.b, vector, not: [.a(vector), .c("")], name: "b"))
  }

  @Test("C12 The case of an optional enum is found, and nil has none")
  func optionals() {
    let large = Large()
    #expect(holds(Mixed?.init, in: Mixed.b, large))
    #expect(holds(Single?.init, in: Single.only, large))
    #expect(holds(Boxed?.init, in: Boxed.a, large))
    #expect(holds(Half?.init, in: Half.b, false))
  }

  private func holds<Enum, Value: Equatable>(
    _ wrap: @escaping (Enum) -> Enum?, in embed: @escaping (Value) -> Enum, _ value: Value
  ) -> Bool {
    holds({ wrap(embed($0)) }, value, not: [nil])
  }

  enum Many {
    case a
    case b(Int)
    case c(Int)
  }

  @Test("C12 Of several cases with the same associated values, a value tells which one it is")
  func similar() {
    let first = EnumCase(Many.c)
    #expect(first.name == nil)
    #expect(first.payload(of: .a) == nil)
    #expect(first.payload(of: .b(1)) == nil)
    #expect(first.name == "c")
    #expect(first.payload(of: .c(1)) == 1)
  }

  enum Mirrored: Equatable, CustomReflectable {
    case a(Int)
    case b(Int)
    var customMirror: Mirror { Mirror(self, children: ["b": 9]) }
  }

  @Test("M6 C12 A mirror of its own changes nothing about a case")
  func mirrored() {
    #expect(holds(Mirrored.a, 3, not: [.b(3)], name: "a"))
    struct State { var place: Mirrored? = .a(1) }
    let store = Store<State, Never>(state: State())
    let (a, b) = (
      store.binder.case(\.place, Mirrored.a), store.binder.case(\.place, Mirrored.b)
    )
    #expect((a.wrappedValue, b.wrappedValue) == (1, nil))
    b.wrappedValue = nil
    #expect(store.place == .a(1))
    a.wrappedValue = nil
    #expect(store.place == nil)
  }

  @Test("C12 An enum may have hundreds of cases")
  func hundreds() {
    #expect(holds(Hundreds.x255, 7, not: [.x256(7), .x0(7), .x299(7), .last], name: "x255"))
    #expect(holds(Hundreds.x256, 7, not: [.x255(7), .x0(7), .x299(7), .last], name: "x256"))
    #expect(holds(Hundreds.x299, 7, not: [.x255(7), .x0(7), .x256(7), .last], name: "x299"))
  }

  @Test("C12 A function that is no case traps")
  func noCase() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run { _ = EnumCase<Single, Int> { _ in Single.only(Large()) } }
    }
    await #expect(processExitsWith: .failure) {
      await MainActor.run { _ = EnumCase<Large, Int> { _ in Large() } }
    }
  }
}
