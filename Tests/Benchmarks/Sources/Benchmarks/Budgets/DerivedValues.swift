import Observation
import Signalbox

/// Measures a badge that counts the unread of a mailbox (V1, V7).
@MainActor enum DerivedValues {
  static let comparisons = [10, 1_000, 100_000].flatMap { size in
    [
      Comparison("V1", "a keystroke beside a badge of \(size) messages") {
        let (ours, computed, memo) = (Ours(size), Computed(size), Memo(size))
        return Sides(
          Subject("Derived", ours.type),
          beside: [
            Subject("computed, @Observable", computed.type).atMost(1),
            Subject("memo by equality", memo.type).unlimited,
          ])
      },
      Comparison("V7", "a message is read, of \(size)") {
        let (ours, computed, memo, numbers) = (
          Ours(size), Computed(size), Memo(size), Numbers(size)
        )
        return Sides(
          Subject("Derived", ours.readOne),
          beside: [
            Subject("computed, @Observable", computed.readOne).unlimited,
            Subject("memo by equality", memo.readOne).unlimited,
            Subject("reading the numbers through a key path", numbers.read)
              .atMost(size < 1_000 ? 100 : 1),
          ])
      },
    ]
  }

  fileprivate struct Message: Equatable, Identifiable {
    var id: Int
    var text = "some text that is too long to be stored in place"
    var size = 1
    var unread = 1
  }

  fileprivate struct Mailbox: Equatable {
    var messages: [Message]
    var draft = ""

    init(_ size: Int) { messages = (0..<size).map { Message(id: $0) } }
    var unread: Int { messages.reduce(0) { $0 + $1.unread } }
  }

  /// A store whose badge is observed.
  @MainActor private final class Ours {
    private let store: Store<Mailbox, Never>
    private let writing: MutatingStore<Mailbox, Never>
    private var subscription: Subscription?
    private let unread = Derived<Mailbox, Int>("unread") {
      $0.each(\.messages, \.unread).reduce(0, +)
    }

    init(_ size: Int) {
      (store, writing) = Writing.store(Mailbox(size))
      subscription = store.publisher[unread].sink { blackHole($0) }
    }

    func type(_ count: Int) {
      for number in 0..<count { writing.draft = number.isMultiple(of: 2) ? "a" : "b" }
    }

    func readOne(_ count: Int) {
      for number in 0..<count { writing.messages[0].unread = number % 2 }
    }
  }

  /// A computed property of an observable state, which its observer computes after every change.
  @MainActor fileprivate final class Computed {
    @Observable final class Model {
      var mailbox: Mailbox
      init(_ size: Int) { mailbox = Mailbox(size) }
    }

    private let model: Model

    init(_ size: Int) { model = Model(size) }

    private func observe(_ change: () -> Void) {
      withObservationTracking {
        blackHole(model.mailbox.unread)
      } onChange: {
      }
      change()
    }

    func type(_ count: Int) {
      for number in 0..<count {
        observe { model.mailbox.draft = number.isMultiple(of: 2) ? "a" : "b" }
      }
    }

    func readOne(_ count: Int) {
      for number in 0..<count { observe { model.mailbox.messages[0].unread = number % 2 } }
    }
  }

  /// A function that compares its input with the last one, and keeps both the input and the result.
  @MainActor private final class Memo {
    private var mailbox: Mailbox
    private var last: (input: [Message], result: Int)?

    init(_ size: Int) { mailbox = Mailbox(size) }

    private func unread() -> Int {
      if let last, last.input == mailbox.messages { return last.result }
      let result = mailbox.unread
      last = (mailbox.messages, result)
      return result
    }

    func type(_ count: Int) {
      for number in 0..<count {
        mailbox.draft = number.isMultiple(of: 2) ? "a" : "b"
        blackHole(unread())
      }
    }

    func readOne(_ count: Int) {
      for number in 0..<count {
        mailbox.messages[0].unread = number % 2
        blackHole(unread())
      }
    }
  }

  /// Reads one number of each message.
  @MainActor private final class Numbers {
    private let mailbox: Mailbox
    private let keyPath: KeyPath<Message, Int> & Sendable = \.unread

    init(_ size: Int) { mailbox = Mailbox(size) }

    func read(_ count: Int) {
      for _ in 0..<count {
        blackHole(mailbox.messages.reduce(0) { $0 + $1[keyPath: keyPath] })
      }
    }
  }
}
