/// Views in a column that scrolls.
public struct List<SelectionValue, Content: View>: View, PrimitiveView {
  private let content: Content

  func draw(in node: Node) { node.child(0).draw(content) }
}

extension List where SelectionValue == Never {
  /// Creates a list.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// A part of a list.
public struct Section<Parent, Content, Footer> {
  private let title: String
  private let content: Content
}

extension Section: View, PrimitiveView where Parent: View, Content: View, Footer: View {
  func draw(in node: Node) {
    node.element = .text(title)
    node.child(0).draw(content)
  }
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
  /// Creates a part with a title.
  public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
    self.title = String(title)
    self.content = content()
  }
}

/// A text of several lines that the user edits.
public struct TextEditor: View, PrimitiveView {
  @Binding private var text: String

  /// Creates an editor.
  public init(text: Binding<String>) { _text = text }

  func draw(in node: Node) { node.element = .field("Editor", $text) }
}

/// Something that takes time.
public struct ProgressView<Label: View, CurrentValueLabel: View>: View, PrimitiveView {
  private let title: String

  func draw(in node: Node) { node.element = .text(title) }
}

extension ProgressView where Label == Text, CurrentValueLabel == EmptyView {
  /// Creates a view of something that takes unknown time.
  public init<S: StringProtocol>(_ title: S) { self.title = String(title) }
}

/// Where a search field is placed.
public struct SearchFieldPlacement: Sendable {
  /// It depends on the platform.
  public static let automatic = SearchFieldPlacement()
}

extension View {
  /// Shows a title at the top of the screen.
  public func navigationTitle<S: StringProtocol>(_ title: S) -> some View {
    DecoratedView(content: self, decoration: EmptyView(), element: .text(String(title)))
  }

  /// Shows buttons around the screen.
  public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
    DecoratedView(content: self, decoration: content(), element: nil)
  }

  /// Shows a field for a query.
  public func searchable(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
  ) -> some View {
    DecoratedView(content: self, decoration: EmptyView(), element: .field("Search", text))
  }

  /// Says whether the user can pull a sheet down.
  public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View { self }

  /// Calls a closure when the system opens a link of the app.
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
    DecoratedView(content: self, decoration: EmptyView(), element: .link(action))
  }
}

/// A view with something around it.
private struct DecoratedView<Content: View, Decoration: View>: View, PrimitiveView {
  let content: Content
  let decoration: Decoration
  let element: Element?

  func draw(in node: Node) {
    node.element = element
    node.child(0).draw(content)
    node.child(1).draw(decoration)
  }
}
