/// Views on top of a root.
public struct NavigationStack<Data, Root: View>: View, PrimitiveView {
  @Binding private var path: Data
  private let root: Root
  private let elements: (Data) -> [AnyHashable]
  private let withoutLast: (Data) -> Data

  /// Creates a stack that shows what a path has.
  public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
  where
    Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection,
    Data.Element: Hashable
  {
    _path = path
    self.root = root()
    elements = { $0.map { AnyHashable($0) } }
    withoutLast = { Data($0.dropLast()) }
  }

  func draw(in node: Node) {
    let destinations = node.graph.withDestinations(of: node) { node.child(0).draw(root) }
    let views = elements(path).map { element in
      (element, destinations.views[ObjectIdentifier(type(of: element.base))]?(element.base))
    }
    node.child(1).drawScreens(views)
    // The user goes back from what was drawn.
    let before = withoutLast(path)
    node.element = .stack { path = before }
  }
}

/// The path of a stack that nothing but the stack knows.
public struct NavigationPath {
  /// Creates an empty path.
  public init() {}
}

extension NavigationStack where Data == NavigationPath {
  /// Creates a stack that shows only its root.
  public init(@ViewBuilder root: () -> Root) {
    _path = Binding(get: { NavigationPath() }, set: { _ in })
    self.root = root()
    elements = { _ in [] }
    withoutLast = { $0 }
  }
}

/// What a stack shows for the elements of its path.
@MainActor final class Destinations {
  var views: [ObjectIdentifier: (Any) -> AnyScreen] = [:]
}

/// A screen of any type.
struct AnyScreen: View, PrimitiveView {
  let content: any View

  func draw(in node: Node) { node.child(0).draw(content) }
}

extension View {
  /// Says what the stack around it shows for an element of its path.
  public func navigationDestination<D: Hashable, C: View>(
    for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
  ) -> some View {
    DestinationView(content: self) { destination($0) }
  }
}

private struct DestinationView<Content: View, D: Hashable, C: View>: View, PrimitiveView {
  let content: Content
  let destination: (D) -> C

  func draw(in node: Node) {
    node.graph.destinations?.views[ObjectIdentifier(D.self)] = { element in
      AnyScreen(content: destination(element as! D))  // found by this type
    }
    node.child(0).draw(content)
  }
}
