package import Signalbox

/// Edits a text property of a store, key by key.
@MainActor
package final class TextField {
  private let text: StateBinding<String>
  private var charactersBehindCursor = 0

  private let isSecret: Bool

  /// - Parameters:
  ///   - text: a binding to the property.
  ///   - isSecret: whether a dot is shown for each character.
  package init(_ text: StateBinding<String>, isSecret: Bool = false) {
    self.text = text
    self.isSecret = isSecret
  }

  package var isEmpty: Bool { text.wrappedValue.isEmpty }

  /// Applies a key.
  ///
  /// Returns `false` if it changed neither the text nor the cursor.
  @discardableResult
  package func apply(_ key: Key) -> Bool {
    var editor = editor
    // As in a shell, Ctrl-D deletes a character if there is text.
    guard editor.apply(key == .endOfInput ? .delete : key) else { return false }
    charactersBehindCursor = editor.charactersBehindCursor
    text.wrappedValue = editor.text
    return true
  }

  package func moveToEnd() {
    charactersBehindCursor = 0
  }

  package func prompt(label: String, columns: Int) -> Prompt {
    Prompt(label: label, editor: isSecret ? editor.dotted : editor, columns: columns)
  }

  private var editor: LineEditor {
    LineEditor(text.wrappedValue, charactersBehindCursor: charactersBehindCursor)
  }
}
