import OpenCombine

/// A state in an OpenCombine subject whose properties are observed.
///
/// It is not isolated to the main actor, because isolated closures check on each call that they run
/// there.
final class ObservedSubject<State> {
  let subject: CurrentValueSubject<State, Never>
  private var cancellables: [AnyCancellable] = []

  init(_ state: State) { subject = CurrentValueSubject(state) }

  func observe(_ path: KeyPath<State, Int>) {
    cancellables.append(
      subject.map { $0[keyPath: path] }.removeDuplicates().sink { blackHole($0) })
  }
}

/// An OpenCombine subject with a number of subscribers.
final class SubscribedSubject {
  private let subject = PassthroughSubject<Int, Never>()
  private var cancellables: [AnyCancellable] = []

  init(subscribers: Int, isShared: Bool = false) {
    let shared = isShared ? subject.share() : nil
    cancellables = (0..<subscribers).map { _ in
      shared?.sink { blackHole($0) } ?? subject.sink { blackHole($0) }
    }
  }

  /// Makes a subject with the operators of B6.
  init() {
    cancellables = [subject.map { $0 * 2 }.filter { $0 % 3 != 0 }.sink { blackHole($0) }]
  }

  func send(_ value: Int) { subject.send(value) }
  func subscribeAndCancel() { subject.sink { blackHole($0) }.cancel() }
}

/// The floor for any delivery: an array of closures.
final class Closures {
  private let closures: [(Int) -> Void]

  init(_ count: Int) { closures = (0..<count).map { _ in { blackHole($0) } } }

  @inline(never) func call(_ value: Int) {
    for closure in closures { closure(value) }
  }
}
