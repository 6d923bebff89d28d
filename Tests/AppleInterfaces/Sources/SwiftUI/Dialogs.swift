/// How a button differs from others.
public struct ButtonRole: Equatable, Sendable {
  private let name: String

  /// It destroys something.
  public static let destructive = ButtonRole(name: "destructive")
  /// It changes nothing.
  public static let cancel = ButtonRole(name: "cancel")
}

/// Whether a part of a view is shown.
public enum Visibility: Hashable, CaseIterable, Sendable {
  case automatic
  case visible
  case hidden
}

extension View {
  /// Shows an alert while a value is true and there are data.
  public func alert<S: StringProtocol, A: View, M: View, T>(
    _ title: S, isPresented: Binding<Bool>, presenting data: T?,
    @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
  ) -> some View {
    DialogView(
      base: self, title: String(title), isPresented: isPresented,
      content: data.map { (actions($0), message($0)) })
  }

  /// Shows a confirmation while a value is true and there are data.
  public func confirmationDialog<S: StringProtocol, A: View, M: View, T>(
    _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
    presenting data: T?, @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
  ) -> some View {
    DialogView(
      base: self, title: String(title), isPresented: isPresented,
      content: data.map { (actions($0), message($0)) })
  }
}

private struct DialogView<Base: View, Actions: View, Message: View>: View, PrimitiveView {
  let base: Base
  let title: String
  @Binding var isPresented: Bool
  let content: (actions: Actions, message: Message)?

  init(
    base: Base, title: String, isPresented: Binding<Bool>,
    content: (actions: Actions, message: Message)?
  ) {
    (self.base, self.title, self.content) = (base, title, content)
    _isPresented = isPresented
  }

  func draw(in node: Node) {
    node.child(0).draw(base)
    node.child(1).draw(Shown(title: title, isPresented: $isPresented, content: content))
  }

  private struct Shown: View, PrimitiveView {
    let title: String
    @Binding var isPresented: Bool
    let content: (actions: Actions, message: Message)?

    func draw(in node: Node) {
      guard isPresented, let content else { return node.keepChildren(identifiedBy: false) }
      node.keepChildren(identifiedBy: true)
      node.element = .dialog(title) { isPresented = false }
      node.child(0).draw(content.message)
      node.child(1).draw(content.actions)
    }
  }
}
