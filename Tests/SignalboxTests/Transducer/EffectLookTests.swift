import Signalbox
import Testing

@Suite struct EffectLookTests {
  typealias Effect = Clockwork.Effect

  @Test("X3 an effect can be inspected without a store: its kind, its name and its parts")
  func looking() {
    var state = Clockwork.State()
    let effect = Clockwork.update(
      &state, event: Clockwork.Event("go") { .run(id: "search", overlap: .queue) { _, _ in } })
    #expect(effect?.kind == .run)
    #expect(effect?.id == AnyHashable("search"))
    #expect(effect?.overlap == .queue)
    #expect(Effect.cancel(7).id == AnyHashable(7))
    #expect(Effect.cancel(7).overlap == nil)
    #expect(Effect.event("a").event == "a")
    #expect(Effect.request { _, _ in "" }.catch { _ in nil }.kind == .request)
    let both = Effect.merge([.event("a"), .task(id: 1) { _ in nil }])
    #expect(both.kind == .merge)
    #expect(both.effects.map(\.kind) == [.event, .task])
    let late = both.debounce(for: .seconds(1), id: "late")
    #expect(late.kind == .debounce && late.id == AnyHashable("late"))
    #expect(late.effects.map(\.kind) == [.merge])
  }

  @Test("X3 the description of an effect is the code that makes it")
  func description() {
    #expect("\(Effect.run(id: "search") { _, _ in })" == #"run(id: "search")"#)
    #expect("\(Effect.fireAndForget { _ in })" == "fireAndForget")
    #expect("\(Effect.cancel("search"))" == #"cancel("search")"#)
    #expect(
      "\(Effect.sequence([.event("saved"), .action { _ in nil }]))"
        == "sequence([event(saved), action])")
    #expect(
      "\(Effect.event("save").debounce(for: .seconds(1), id: 3))"
        == "event(save).debounce(for: 1.0 seconds, id: 3)")
  }

  @Test("X3 a debounce with a negative interval is one with none")
  func negativeInterval() {
    #expect(
      "\(Effect.event("save").debounce(for: .seconds(-1), id: 3))"
        == "event(save).debounce(for: 0.0 seconds, id: 3)")
  }
}
