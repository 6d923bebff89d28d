/// A view without content.
public struct EmptyView: View, PrimitiveView {
  /// Creates an empty view.
  public init() {}

  func draw(in node: Node) {}
}

/// A line of text.
public struct Text: View, PrimitiveView {
  private let content: String

  /// Creates a text.
  public init<S: StringProtocol>(_ content: S) { self.content = String(content) }

  func draw(in node: Node) { node.element = .text(content) }
}

/// A button with a title.
public struct Button: View, PrimitiveView {
  private let title: String
  private let action: @MainActor () -> Void

  /// Creates a button.
  public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
    self.title = String(title)
    self.action = action
  }

  func draw(in node: Node) { node.element = .button(title, action) }
}

/// A text field.
public struct TextField: View, PrimitiveView {
  private let title: String
  @Binding private var text: String

  /// Creates a text field.
  public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
    self.title = String(title)
    _text = text
  }

  func draw(in node: Node) { node.element = .field(title, $text) }
}

/// A switch.
public struct Toggle: View, PrimitiveView {
  private let title: String
  @Binding private var isOn: Bool

  /// Creates a switch.
  public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
    self.title = String(title)
    _isOn = isOn
  }

  func draw(in node: Node) { node.element = .toggle(title, $isOn) }
}

/// Views in a column.
public struct VStack<Content: View>: View, PrimitiveView {
  private let content: Content

  /// Creates a column.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  func draw(in node: Node) { node.child(0).draw(content) }
}
