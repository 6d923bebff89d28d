import RandomPrograms

@testable import Signalbox

/// Writes of a random program: of the barn, and in the stores of its rows.
extension BarnProgram {
  func row() -> BarnRow {
    BarnRow(
      id: 1 + random.below(6), text: "r\(number())",
      note: random.oneIn(2) ? BarnNote(text: "n\(number())") : nil)
  }

  /// Something that a closure does to the barn.
  func edit() -> (String, Edit) {
    let (number, row, id) = (self.number(), self.row(), 1 + random.below(6))
    let name = ["a", "b"][random.below(2)]
    switch random.below(17) {
    case 0: return ("title \(number)", { $0.title = "t\(number)" })
    case 1: return ("title +\(number)", { $0.title += "\(number)" })
    case 2: return ("count +\(id)", { $0.count += id })
    case 3: return ("count = rows", { $0.count = $0.rows.count })
    case 4: return ("tag \(number)", { $0.tags.append("\(number)") })
    case 5, 6:
      return (
        "row \(row.id) first", { if $0[.row(row.id)] == nil { $0.rows.insert(row, at: 0) } }
      )
    case 7: return ("no row \(id)", { $0[.row(id)] = nil })
    case 8: return ("reversed", { $0.rows.reverse() })
    case 9: return ("star \(id)", { $0[.row(id)]?.isStarred.toggle() })
    case 10: return ("text \(id) \(number)", { $0[.row(id)]?.text += "\(number)" })
    case 11: return ("named \(name)", { $0.named[name] = row })
    case 12: return ("no \(name)", { $0.named[name] = nil })
    case 13: return ("gate \(row.id)", { $0.gate = number % 3 == 0 ? .shut : .open(row) })
    case 14: return ("attic \(number)", { $0.attic.text += "\(number)" })
    default:
      return ("guest \(row.id)", { $0.guest = number % 3 == 0 ? nil : row })
    }
  }

  func rowEdit() -> (String, RowEdit) {
    let number = self.number()
    switch random.below(4) {
    case 0: return ("star", { $0.isStarred.toggle() })
    case 1: return ("note", { $0.note = $0.note == nil ? BarnNote(text: "\(number)") : nil })
    default: return ("text +\(number)", { $0.text += "\(number)" })
    }
  }

  func write() {
    let parent = store.instruments.arranging
    let (text, edit) = self.edit()
    steps.append(text)
    var before = oracle.truth
    edit(&before)
    oracle.commit { edit(&$0.truth) }
    guard before != store.instruments.truth else { return }
    // What is written is the truth, whatever is shown.
    if before.title != store.instruments.truth.title {
      switch random.below(3) {
      case 0: parent.title = before.title
      case 1: parent.set(\.title, before.title)
      default: store.binder.title.wrappedValue = before.title
      }
    } else if before.tags != store.instruments.truth.tags {
      parent.tags.append(before.tags.last ?? "")
    } else if before.count != store.instruments.truth.count {
      parent.count = before.count
    } else if before.named != store.instruments.truth.named {
      parent.named = before.named
    } else if before.guest != store.instruments.truth.guest {
      parent.guest = before.guest
    } else if before.gate != store.instruments.truth.gate {
      parent.gate = before.gate
    } else if before.attic != store.instruments.truth.attic {
      parent.attic = before.attic
    } else if random.oneIn(2) {
      parent.rows = before.rows
    } else {
      func change(_ rows: inout [BarnRow]) { rows = before.rows }
      change(&parent.rows)
    }
  }

  func writeInChild() {
    guard let place = oracle.truth.places.randomElement(using: &random),
      let child = child(place)
    else { return }
    let (text, edit) = self.rowEdit()
    steps.append("\(place) \(text)")
    guard let old = oracle.truth[place] else { return }
    var row = old
    edit(&row)
    oracle.commit { $0.truth[place] = row }
    let store = child.instruments.arranging
    switch random.below(3) {
    case 0: store.update(edit)
    case 1: store.set(\.self, row)
    default:
      if old.isStarred != row.isStarred { store.isStarred = row.isStarred }
      if old.note != row.note { store.note = row.note }
      if old.text != row.text { store.text += row.text.dropFirst(old.text.count) }
    }
  }

  func update() {
    let edits = (0..<2).map { _ in edit() }
    steps.append("update \(edits.map(\.0))")
    oracle.commit { oracle in for edit in edits { edit.1(&oracle.truth) } }
    store.instruments.arranging.update { state in for edit in edits { edit.1(&state) } }
  }
}
