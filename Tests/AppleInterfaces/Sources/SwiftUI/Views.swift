/// A view without content.
public struct EmptyView: View, PrimitiveView {
  /// Creates an empty view.
  nonisolated public init() {}

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

  /// Creates a button that differs from others.
  public init<S: StringProtocol>(
    _ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {
    self.init(title, action: action)
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

/// A view for each element of a collection, which has the identity of the element.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
  /// The elements.
  public var data: Data
  /// Makes the view of an element.
  public var content: (Data.Element) -> Content
  private let id: KeyPath<Data.Element, ID>
}

extension ForEach: View, PrimitiveView where Content: View {
  /// Creates a view for each element.
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.content = content
    self.id = id
  }

  func draw(in node: Node) {
    node.drawRows(data.map { (AnyHashable($0[keyPath: id]), content($0)) })
  }
}

extension View {
  /// Shows another view while there is an item.
  public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View {
    SheetView(base: self, item: item, onDismiss: onDismiss, sheet: content)
  }

  /// Shows another view while a value is true.
  public func sheet<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    let location = FunctionalLocation<PresentedView?>(
      get: { isPresented.location.get() ? PresentedView() : nil },
      set: { isPresented.location.set($0 != nil, $1) })
    return SheetView(
      base: self, item: Binding(location), onDismiss: onDismiss, sheet: { _ in content() })
  }
}

private struct PresentedView: Identifiable, Equatable {
  var id: Int { 0 }
}

private struct SheetView<Base: View, Item: Identifiable, Content: View>: View, PrimitiveView {
  let base: Base
  @Binding var item: Item?
  let onDismiss: (() -> Void)?
  let sheet: (Item) -> Content

  init(
    base: Base, item: Binding<Item?>, onDismiss: (() -> Void)?,
    sheet: @escaping (Item) -> Content
  ) {
    self.base = base
    _item = item
    self.onDismiss = onDismiss
    self.sheet = sheet
  }

  func draw(in node: Node) {
    node.child(0).draw(base)
    node.child(1).draw(Shown(item: $item, onDismiss: onDismiss, sheet: sheet))
  }

  private struct Shown: View, PrimitiveView {
    @Binding var item: Item?
    let onDismiss: (() -> Void)?
    let sheet: (Item) -> Content

    func draw(in node: Node) {
      guard let item else { return node.keepChildren(identifiedBy: false) }
      node.keepChildren(identifiedBy: item.id)
      node.element = .sheet {
        self.item = nil
        onDismiss?()
      }
      node.child(0).draw(sheet(item))
    }
  }
}
