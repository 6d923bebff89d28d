/// What a key press means to a line that is being edited.
package enum Key: Equatable, Sendable {
  case text(String)
  case enter, tab, backTab, escape, backspace, delete
  case left, right, up, down, home, end
  case deleteToStart, deleteToEnd, deleteWord
  case interrupt, endOfInput, suspend, redraw
}
