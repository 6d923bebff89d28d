import ExampleTesting
import Signalbox
import SignalboxInspection
import SignalboxTesting
import Testing

@testable import SignalboxTrace

/// Derived values in recordings and in `why`.
@MainActor struct DerivedTraceTests {
  private struct Order: Equatable {
    var lines = [Line(id: 1, price: 1), Line(id: 2, price: 2)]
    var coupon = "none"
    @Redacted var card = 4711
  }
  private struct Line: Equatable, Identifiable {
    var id: Int
    var price: Int
  }
  private struct Orders: Actionable {
    enum Action {
      case price(Int)
      case coupon
    }
    func onAction(_ action: Action, store: MutatingStore<Order, Action>) {
      switch action {
      case .price(let price): store.lines[1].price = price
      case .coupon: store.coupon += "!"
      }
    }
  }

  private let total = Derived<Order, Int>("total") { order in
    order.each(\.lines, \.price).reduce(0, +)
  }

  @Test("R5 V3 why tells what changed a derived value, back to what came from outside")
  func why() throws {
    let file = try RecordedFile(of: "order")
    let store = Store(state: Order(), actionable: Orders(), name: "order")
    #expect("\(store.why(total))" == "total ← not known any more")
    let totals = store.publisher[total].sink { _ in }
    store.send(.price(3))
    store.send(.coupon)
    let why = store.why(total)
    #expect("\(why)" == "total 3 → 4 ← lines[1, id: 2].price 2 → 3 ← .price(3) ← outside")
    #expect(why.steps.map(\.kind) == [.derived, .change, .action, .outside])
    #expect(why.value == "total")
    totals.cancel()
    store.send(.price(9))
    store.send(.price(10))
    // It was not computed for the first of them, and then computed by a read.
    _ = store[total]
    #expect("\(store.why(total))" == "total ← not known any more")
    withExtendedLifetime(file) {}
  }

  @Test("R5 a batch that ends with the same value leaves the answer of why as it was")
  func unchangedByBatch() throws {
    let file = try RecordedFile(of: "basket")
    let store = Store(state: Order(), actionable: Orders(), name: "basket")
    let totals = store.publisher[total].sink { _ in }
    store.binder.lines.wrappedValue[1].price = 3
    let answer = store.why(total).description
    #expect(answer.hasPrefix("total 3 → 4 ← "), "\(answer)")
    store.instruments.arranging.batch {
      store.binder.lines.wrappedValue[0].price = 2
      #expect(store[total] == 5)
      store.binder.lines.wrappedValue[1].price = 2
    }
    #expect(store.why(total).description == answer)
    withExtendedLifetime((file, totals)) {}
  }

  @Test("R5 D6 why hides a derived value that is made of something redacted")
  func redacted() throws {
    let file = try RecordedFile(of: "card")
    let store = Store(state: Order(), actionable: Orders(), name: "card")
    let digits = Derived<Order, String>("digits") { "\($0.card % 1_000)" }
    let sink = store.publisher[digits].sink { _ in }
    store.binder.card.wrappedValue = 4822
    let why = store.why(digits)
    #expect(why.description.hasPrefix("digits <redacted> → <redacted> ← "), "\(why)")
    #expect(!"\(why)".contains("711") && !"\(why)".contains("822"), "\(why)")
    withExtendedLifetime((file, sink)) {}
  }

  @Test("R1 a derived value survives its line")
  func line() {
    let event = TraceEvent(
      store: 1, child: #"\.rows[id: 3]"#, id: 5, cause: 4, time: 0.5,
      kind: .derived(name: "total", from: .integer(3), to: .string("x")))
    let read = JSONValue(event.bytes).flatMap { TraceEvent($0) }
    #expect(read?.kind == event.kind)
    #expect(event.line.contains(#""kind":"derived""#) || event.line.contains(#""kind": "derived""#))
  }
}
