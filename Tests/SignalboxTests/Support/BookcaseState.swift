import Signalbox

/// A state with elements of every kind, in which elements lie once more.
struct BookcaseState: CustomStringConvertible {
  var rows: [BookcaseRow] = []
  var named: [String: BookcaseRow] = [:]
  var single: BookcaseRow?
  var title = ""
  /// Nothing writes it.
  var idle = 0
  /// Never differs.
  var constant: Int { idle }

  var description: String {
    let named = named.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return "\(rows) \(named) \(single.map { "\($0)" } ?? "nil") \(title)"
  }
}

struct BookcaseRow: Identifiable, CustomStringConvertible {
  var id = 0
  var count = 0
  var text = ""
  var part = BookcasePart()
  var loose = BookcaseLoose()
  var nothing = BookcaseNothing()
  var object: BookcaseObject?
  var books: [BookcaseBook] = []
  var note: BookcaseBook?

  /// Reached through a setter, which changes another property as well.
  var total: Int {
    get { count + part.depth }
    set { (count, part.depth) = (newValue, 0) }
  }

  var description: String {
    let note = note.map { "\($0)" } ?? "nil"
    return "\(id)(\(count) \(text) \(part.depth)\(part.name) \(loose.number) \(books) \(note))"
  }
}

/// A child at a stored property of a row.
struct BookcasePart: Equatable {
  var depth = 0
  var name = ""
}

/// A value that cannot be compared.
struct BookcaseLoose {
  var number = 0
}

/// A value without a size.
struct BookcaseNothing: Equatable {}

/// An object, which is released when a write replaces it.
final class BookcaseObject {}

struct BookcaseBook: Identifiable, CustomStringConvertible {
  var id = 0
  var pages = 0
  var title = ""

  var description: String { "\(id):\(pages)\(title)" }
}

// MARK: - Interactors

struct Bookcase: Interactor {
  func children(of store: MutatingStore<BookcaseState, Never>) -> Children<BookcaseState> {
    Each(\.rows) { _ in BookcaseRows() }
    Each(\.named) { _ in BookcaseRows() }
    Child(\.single) { BookcaseSingle() }
  }

  func onAction(_ action: Never, store: MutatingStore<BookcaseState, Never>) {}
}

struct BookcaseRows: Interactor {
  func children(of store: MutatingStore<BookcaseRow, Int>) -> Children<BookcaseRow> {
    Child(\.part) { BookcaseParts() }
    Each(\.books) { _ in BookcaseBooks() }
    Child(\.note) { BookcaseBooks() }
  }

  func onAction(_ action: Int, store: MutatingStore<BookcaseRow, Int>) { store.count += action }
}

/// A row without children.
struct BookcaseSingle: Interactor {
  func onAction(_ action: Int, store: MutatingStore<BookcaseRow, Int>) { store.count += action }
}

struct BookcaseParts: Interactor {
  func onAction(_ action: Int, store: MutatingStore<BookcasePart, Int>) { store.depth += action }
}

struct BookcaseBooks: Interactor {
  func onAction(_ action: Int, store: MutatingStore<BookcaseBook, Int>) { store.pages += action }
}
