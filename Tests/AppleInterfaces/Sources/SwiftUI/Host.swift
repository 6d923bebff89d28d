// Not SwiftUI's: what shows a view here, and what a user does with it.

/// Shows a view, and keeps what belongs to the identities of the views in it.
///
/// Nothing is redrawn until `update()` asks for the next frame.
@MainActor public final class Host {
  private let graph = Graph()
  private let root: Node

  /// Shows a view: its first frame is there when this returns.
  public init(_ view: some View) {
    root = Node(graph)
    root.draw(view)
    root.setVisible(true)
  }

  /// Draws the next frame: what has read something that has changed since.
  ///
  /// - Returns: the animations of the changes.
  @discardableResult public func update() -> [Animation?] {
    let animations = graph.update()
    root.setVisible(true)
    return animations
  }

  /// Takes the view out of sight, as another tab does.
  public func disappear() { root.setVisible(false) }

  /// What SwiftUI would have complained about.
  public var faults: [String] { graph.faults }

  /// The texts that are shown.
  public var texts: [String] {
    root.elements.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  /// What a field shows; `nil` if there is none of this title.
  public func field(_ title: String) -> Binding<String>? {
    for case .field(title, let text) in root.elements { return text }
    return nil
  }

  /// What a toggle shows; `nil` if there is none of this title.
  public func toggle(_ title: String) -> Binding<Bool>? {
    for case .toggle(title, let isOn) in root.elements { return isOn }
    return nil
  }

  /// Taps a button; `false` if there is none of this title.
  @discardableResult public func tap(_ title: String) -> Bool {
    for case .button(title, let action) in root.elements {
      action()
      return true
    }
    return false
  }
}

/// What is shown.
enum Element {
  case text(String)
  case button(String, @MainActor () -> Void)
  case field(String, Binding<String>)
  case toggle(String, Binding<Bool>)
}
