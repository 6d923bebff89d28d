import Signalbox
import SignalboxTesting
import Testing

/// Tests what an expectation demands by running its closure twice, and where it must not run twice.
@Suite(.timeLimit(.minutes(60))) @MainActor struct SecondRunTests {
  private enum Phase: Equatable {
    case idle, failed
    case loading(progress: Int)
  }

  private final class Model: Equatable {
    var count = 0
    static func == (a: Model, b: Model) -> Bool { a.count == b.count }
  }

  private struct Machine: Equatable {
    var phase = Phase.loading(progress: 1)
    var isLoading = false
    var members: Set<Int> = [1, 2]
    var scores = ["a": 1]
    var pin = "1234"
    var draft: String? = "hi"
    var pending: Int? = 5
    var alert: String? = "failed"
    var sent: [String] = []
    var total = 0
    var small: UInt8 = 64
    var list = ["a", "b", "c"]
    var model: Model?
  }

  /// What an assertion says of a program that changes the state.
  private func headlines(
    _ program: @escaping @MainActor (MutatingStore<Machine, Job>) -> Void,
    expecting change: @escaping (inout Machine) -> Void
  ) async -> [String] {
    let store = TestStore(
      state: Machine(), actionable: Handling<Machine, Job> { _, store in program(store) })
    return await failures { await store.dispatch("go", expecting: change) }.map(\.headline)
  }

  private let wrong = ["dispatch(go): the state is not as expected."]

  @Test("T8 an equal write is demanded beside another case, a removed member and a removed key")
  func equalWrites() async {
    #expect(
      await headlines(
        {
          $0.phase = .idle
          $0.isLoading = true
        },
        expecting: {
          $0.phase = .idle
          $0.isLoading = false
        }) == wrong)
    #expect(
      await headlines(
        {
          $0.members.remove(1)
          $0.isLoading = true
        },
        expecting: {
          $0.members.remove(1)
          $0.isLoading = false
        }) == wrong)
    #expect(
      await headlines(
        {
          $0.scores["a"] = nil
          $0.isLoading = true
        },
        expecting: {
          $0.scores["a"] = nil
          $0.isLoading = false
        }) == wrong)
    #expect(
      await headlines(
        {
          $0.alert = nil
          $0.isLoading = true
        },
        expecting: {
          $0.alert = nil
          $0.isLoading = false
        }) == wrong)
  }

  @Test("T8 a right expectation does not run again where it would trap")
  func traps() async {
    #expect(
      await headlines(
        {
          $0.pin = "123"
          $0.isLoading = true
        }, expecting: { $0.pin.removeLast() }) == [])
    #expect(
      await headlines(
        {
          $0.sent = ["hi"]
          $0.draft = nil
          $0.isLoading = true
        },
        expecting: {
          $0.sent.append($0.draft!)
          $0.draft = nil
        }) == [])
    #expect(
      await headlines(
        {
          $0.total = 5
          $0.pending = nil
          $0.isLoading = true
        },
        expecting: {
          $0.total += $0.pending!
          $0.pending = nil
        }) == [])
    #expect(
      await headlines(
        {
          $0.total = 1
          $0.scores["a"] = nil
          $0.isLoading = true
        },
        expecting: {
          $0.total += $0.scores["a"]!
          $0.scores["a"] = nil
        }) == [])
    #expect(
      await headlines(
        {
          $0.total = 2
          $0.members = [1]
          $0.isLoading = true
        }, expecting: { $0.total = $0.members.remove(2)! }) == [])
    #expect(
      await headlines(
        {
          $0.sent = ["1"]
          $0.pin = ""
          $0.isLoading = true
        },
        expecting: {
          $0.sent.append(String($0.pin.first!))
          $0.pin = ""
        }) == [])
    #expect(
      await headlines(
        {
          $0.small = 128
          $0.isLoading = true
        }, expecting: { $0.small *= 2 }) == [])
  }

  @Test("T8 a wrong expectation that cuts a text is a failure and does not trap")
  func cutTexts() async {
    #expect(
      await headlines {
        $0.pin = "x"
      } expecting: {
        $0.pin.removeLast(2)
      } == wrong)
  }

  @Test("T8 an expectation that changes an object of the state after is a failure")
  func objects() async {
    let found = await headlines {
      $0.model = Model()
    } expecting: {
      $0.model?.count = 5
    }
    #expect(found.only.contains("the closure changes an object (Model)"))
  }

  @Test("T5 removing the wrong element is found, even if the list has grown again")
  func wrongElement() async {
    let program: @MainActor (MutatingStore<Machine, Job>) -> Void = {
      $0.list.remove(at: 0)
      $0.list.append("d")
    }
    #expect(
      await headlines(
        program,
        expecting: {
          $0.list.remove(at: 1)
          $0.list.append("d")
        }) == wrong)
    #expect(
      await headlines(
        program,
        expecting: {
          $0.list.remove(at: 0)
          $0.list.append("d")
        }) == [])
  }
}
