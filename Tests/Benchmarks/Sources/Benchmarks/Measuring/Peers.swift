import OpenCombine

/// A state behind OpenCombine, of which properties are observed.
///
/// Not of the main actor: closures that are would check, each time, that they run there.
final class ObservedSubject<State> {
  let subject: CurrentValueSubject<State, Never>
  private var cancellables: [AnyCancellable] = []

  init(_ state: State) { subject = CurrentValueSubject(state) }

  func observe(_ path: KeyPath<State, Int>) {
    cancellables.append(
      subject.map { $0[keyPath: path] }.removeDuplicates().sink { blackHole($0) })
  }
}

/// A source of OpenCombine with so many subscribers.
final class SubscribedSubject {
  private let subject = PassthroughSubject<Int, Never>()
  private var cancellables: [AnyCancellable] = []

  init(subscribers: Int) {
    cancellables = (0..<subscribers).map { _ in subject.sink { blackHole($0) } }
  }

  /// With the operators of B6.
  init() {
    cancellables = [subject.map { $0 * 2 }.filter { $0 % 3 != 0 }.sink { blackHole($0) }]
  }

  func send(_ value: Int) { subject.send(value) }
  func subscribeAndCancel() { subject.sink { blackHole($0) }.cancel() }
}

/// What nobody can be faster than.
final class Closures {
  private let closures: [(Int) -> Void]

  init(_ count: Int) { closures = (0..<count).map { _ in { blackHole($0) } } }

  @inline(never) func call(_ value: Int) {
    for closure in closures { closure(value) }
  }
}
