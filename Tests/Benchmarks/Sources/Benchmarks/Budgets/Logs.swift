import Signalbox

/// Measures an action that changes one of many elements, with and without a log.
@MainActor enum Logs {
  static let comparisons = [
    log("100,000 numbers") { Array(0..<100_000) },
    log("100,000 notes with ==") { (0..<100_000).map(Note.init) },
    log("100,000 notes without ==") { (0..<100_000).map(Plain.init) },
  ]

  private static func log<Element: Editable>(
    _ name: String, _ items: @escaping @MainActor () -> [Element]
  ) -> Comparison {
    Comparison("log", "of \(name), one changed") {
      let items = items()
      return Sides(
        logged(items), limits: [.time(.milliseconds(1))],
        beside: [unlogged(items).unlimited, copied(items).unlimited])
    }
  }

  static func logged<Element: Editable>(_ items: [Element]) -> Subject {
    var bytes = 0
    DebugStore.print = { bytes &+= $0.utf8.count }
    DebugStore.enableLogging(
      .include([
        List<Int, Heard>.self, List<Note, Heard>.self, List<Plain, Heard>.self,
      ]))
    let editing = editing(items, Heard.self)
    return Subject("logged") { count in
      editing(count)
      blackHole(bytes)
    }
  }

  static func unlogged<Element: Editable>(_ items: [Element]) -> Subject {
    Subject("unlogged", editing(items, Unheard.self))
  }

  /// The floor for any log: keeping the old state.
  static func copied<Element: Editable>(_ items: [Element]) -> Subject {
    var items = items
    var place = 0
    return Subject("the old array kept") { count in
      for _ in 0..<count {
        let old = items
        place = (place + 7_919) % items.count
        items[place].edit()
        blackHole(old)
      }
    }
  }

  private static func editing<Element: Editable, Hearing>(
    _ items: [Element], _ hearing: Hearing.Type
  ) -> @MainActor (Int) -> Void {
    let store = Store(
      state: List<Element, Hearing>(items: items), actionable: Editor<Element, Hearing>())
    var place = 0
    return { count in
      for _ in 0..<count {
        place = (place + 7_919) % items.count
        store.dispatch(place)
      }
    }
  }

  private enum Heard {}
  private enum Unheard {}

  /// The log chooses stores by the type of their state, so `Hearing` tells the stores apart.
  private struct List<Element, Hearing> { var items: [Element] }

  private struct Editor<Element: Editable, Hearing>: Actionable {
    func onAction(_ place: Int, store: MutatingStore<List<Element, Hearing>, Int>) async {
      store.items[place].edit()
    }
  }
}

protocol Editable {
  mutating func edit()
}

extension Int: Editable {
  mutating func edit() { self += 1 }
}

struct Note: Editable, Equatable {
  var id: Int
  var text: String
  var isDone = false

  init(_ number: Int) {
    id = number
    text = "the text of note \(number)"
  }

  mutating func edit() { isDone.toggle() }
}

/// The same note without `==`.
struct Plain: Editable {
  var id: Int
  var text: String
  var isDone = false

  init(_ number: Int) {
    id = number
    text = "the text of note \(number)"
  }

  mutating func edit() { isDone.toggle() }
}
