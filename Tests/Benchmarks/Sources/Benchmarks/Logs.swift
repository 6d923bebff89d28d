import Signalbox

extension Comparison {
  /// Of 100,000 elements an action changes one, and the log says which.
  static var logs: [Comparison] {
    [
      log("100,000 numbers", Array(0..<100_000)) { $0 += 1 },
      log("100,000 notes", (0..<100_000).map(Note.init)) { $0.text += "." },
      log("100,000 notes without ==", (0..<100_000).map(Plain.init)) { $0.text += "." },
    ]
  }

  private struct Logged<Element> { var items: [Element] }

  private struct Silent<Element> { var items: [Element] }

  private struct Editor<State, Element>: Actionable {
    let items: WritableKeyPath<State, [Element]>
    let edit: @MainActor (inout Element) -> Void
    func onAction(_ place: Int, store: MutatingStore<State, Int>) async {
      edit(&store[dynamicMember: items][place])
    }
  }

  private static func log<Element>(
    _ name: String, _ items: [Element], _ edit: @escaping @MainActor (inout Element) -> Void
  ) -> Comparison {
    DebugStore.print = { written &+= $0.utf8.count }
    DebugStore.enableLogging(
      .include([Logged<Int>.self, Logged<Note>.self, Logged<Plain>.self]))
    let logged = Store(
      state: Logged(items: items), actionable: Editor(items: \.items, edit: edit))
    let silent = Store(
      state: Silent(items: items), actionable: Editor(items: \.items, edit: edit))
    var place = 0
    logged.dispatch(0)
    return Comparison(
      name: "a log of \(name)", budget: "1 ms an action",
      subject: (
        "10 logged actions",
        {
          for _ in 0..<10 {
            place = (place + 7_919) % items.count
            logged.dispatch(place)
          }
        }
      ),
      reference: (
        "the same unlogged",
        {
          for _ in 0..<10 {
            place = (place + 7_919) % items.count
            silent.dispatch(place)
          }
          blackHole((logged, silent, written))
        }
      ), rounds: 9)
  }
}

@MainActor private var written = 0

private struct Note: Equatable {
  var id: Int
  var text: String
  var isDone = false

  init(_ number: Int) {
    id = number
    text = "the text of note \(number)"
  }
}

private struct Plain {
  var id: Int
  var text: String
  var isDone = false

  init(_ number: Int) {
    id = number
    text = "the text of note \(number)"
  }
}
