import Signalbox
import Testing

/// Conditions and loops in `children(of:)`, for which the library's builder has no function.
@MainActor struct ChildConditionTests {
  fileprivate struct Hut: Equatable { var lamp: Int? }

  private struct Lamp: Interactor {
    func onAction(_ action: Never, store: MutatingStore<Int, Never>) {}
  }

  private enum Form { case condition, alternative, choice, loop }

  /// Compiles only because of the functions below.
  @ChildrenBuilder<Hut> private func children(_ form: Form) -> Children<Hut> {
    if form == .condition { Child(\.lamp) { Lamp() } }
    if form == .alternative { Child(\.lamp) { Lamp() } } else { Child(\.lamp) { Lamp() } }
    switch form {
    case .choice: Child(\.lamp) { Lamp() }
    default: Child(\.lamp) { Lamp() }
    }
    for _ in 0..<1 { Child(\.lamp) { Lamp() } }
  }

  @Test("C15 The builder has no condition and no loop, so code with one does not compile")
  func refused() {
    Refusals.all = []
    _ = children(.condition)
    #expect(Refusals.all == ["if", "else", "else", "for"])
  }
}

/// What the library's builder could not build.
@MainActor private enum Refusals {
  static var all: [String] = []
}

// The compiler prefers any other function to a disfavored one, unless the other one is unavailable.
extension ChildrenBuilder where State == ChildConditionTests.Hut {
  @_disfavoredOverload
  fileprivate static func buildOptional(_ children: Children<State>?) -> Children<State> {
    Refusals.all.append("if")
    return buildBlock()
  }

  @_disfavoredOverload
  fileprivate static func buildEither(first children: Children<State>) -> Children<State> {
    Refusals.all.append("first")
    return buildBlock()
  }

  @_disfavoredOverload
  fileprivate static func buildEither(second children: Children<State>) -> Children<State> {
    Refusals.all.append("else")
    return buildBlock()
  }

  @_disfavoredOverload
  fileprivate static func buildArray(_ children: [Children<State>]) -> Children<State> {
    Refusals.all.append("for")
    return buildBlock()
  }
}
