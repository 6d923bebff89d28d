import Signalbox
import Testing

@testable import Terminal

@MainActor
struct TextFieldTests {
  private struct Form: Equatable {
    var name = ""
  }

  private let store = Store<Form, Never>(state: Form())
  private let field: TextField

  init() {
    field = TextField(store.binder.name)
  }

  @Test func `typed text is written to the store`() {
    for key in [Key.text("adb"), .backspace, .text("a")] { #expect(field.apply(key)) }
    #expect(store.name == "ada")
    #expect(!field.isEmpty)
  }

  @Test func `a secret is shown as dots, with the cursor in the right place`() {
    let secret = TextField(store.binder.name, isSecret: true)
    for key in [Key.text("ada"), .left, .tab] { secret.apply(key) }
    let prompt = secret.prompt(label: "> ", columns: 80)
    #expect(store.name == "ad a")
    #expect(prompt.text == "> ••••")
    #expect(prompt.cursorColumn == 5)
  }

  @Test func `the cursor stays in place when other code changes the text`() {
    field.apply(.text("ada"))
    field.apply(.left)
    store.binder.name.wrappedValue = "bea"
    field.apply(.text("x"))
    #expect(store.name == "bexa")
    field.moveToEnd()
    field.apply(.text("y"))
    #expect(store.name == "bexay")
  }

  @Test func `Ctrl-D deletes the character behind the cursor`() {
    field.apply(.text("ada"))
    field.apply(.home)
    field.apply(.endOfInput)
    #expect(store.name == "da")
  }

  @Test func `a sink may draw the field while it is being edited`() {
    var drawn: [String] = []
    let drawing = store.publisher.name.sink { [field] _ in
      drawn.append(field.prompt(label: "", columns: 80).text)
    }
    field.apply(.text("a"))
    field.apply(.text("b"))
    drawing.cancel()
    #expect(drawn == ["a", "ab"])
  }

  @Test func `an unused key changes nothing`() {
    #expect(!field.apply(.enter))
    #expect(!field.apply(.escape))
  }
}
