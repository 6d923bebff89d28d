/// The meaning of a key press for the line that is edited.
package enum Key: Equatable, Sendable {
  case text(String)
  case enter, tab, backTab, escape, backspace, delete
  case left, right, up, down, home, end, pageUp, pageDown
  case deleteToStart, deleteToEnd, deleteWord
  case interrupt, endOfInput, suspend, redraw
}
