/// Combines views.
@resultBuilder public enum ViewBuilder {
  /// Builds an empty view.
  public static func buildBlock() -> EmptyView { EmptyView() }

  /// Builds a single view.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  /// Builds several views.
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> {
    var views: [any View] = []
    for view in repeat each content { views.append(view) }
    return TupleView(views: views)
  }

  /// Builds an optional view.
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

  /// Builds the first of two alternatives.
  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> _ConditionalContent<First, Second> { _ConditionalContent(first: first, second: nil) }

  /// Builds the second of two alternatives.
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> _ConditionalContent<First, Second> { _ConditionalContent(first: nil, second: second) }
}

/// Several views in a row.
public struct TupleView<Content> {
  let views: [any View]
}

extension TupleView: View, PrimitiveView {
  func draw(in node: Node) {
    for (index, view) in views.enumerated() { node.child(index).draw(view) }
  }
}

/// One of two views, each with its own identity.
public struct _ConditionalContent<First: View, Second: View> {
  let first: First?
  let second: Second?
}

extension _ConditionalContent: View, PrimitiveView {
  func draw(in node: Node) {
    node.keepChildren(identifiedBy: first == nil)
    if let first { node.child(0).draw(first) }
    if let second { node.child(0).draw(second) }
  }
}

extension Optional: View, PrimitiveView where Wrapped: View {
  func draw(in node: Node) {
    node.keepChildren(identifiedBy: self == nil)
    if let self { node.child(0).draw(self) }
  }
}
