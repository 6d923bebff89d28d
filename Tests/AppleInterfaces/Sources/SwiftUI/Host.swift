// The host shows a view and acts as the user. It does not exist in SwiftUI.

/// Shows a view and keeps the states of its parts by identity.
///
/// Nothing is redrawn until `update()` draws the next frame.
@MainActor public final class Host {
  private let graph = Graph()
  private let root: Node

  /// Draws the first frame of a view.
  public init(_ view: some View) {
    let root = Node(graph)
    self.root = root
    graph.draw { root.draw(view) }
    root.setVisible(true)
  }

  /// Draws the next frame, with the views whose dependencies have changed.
  ///
  /// - Returns: The animations of the changes.
  @discardableResult public func update() -> [Animation?] {
    let animations = graph.update()
    root.setVisible(true)
    return animations
  }

  /// Hides the view, as selecting another tab does.
  public func disappear() { root.setVisible(false) }

  /// The problems that SwiftUI would have reported.
  public var faults: [String] { graph.faults }

  /// The texts that are shown.
  public var texts: [String] {
    root.elements.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  /// The text of the field with this title, or `nil` if there is no such field.
  public func field(_ title: String) -> Binding<String>? {
    for case .field(title, let text) in root.elements { return text }
    return nil
  }

  /// The value of the toggle with this title, or `nil` if there is no such toggle.
  public func toggle(_ title: String) -> Binding<Bool>? {
    for case .toggle(title, let isOn) in root.elements { return isOn }
    return nil
  }

  /// Dismisses the sheet that is shown, and returns `false` if there is none.
  @discardableResult public func dismissSheet() -> Bool {
    for case .sheet(let dismiss) in root.elements {
      dismiss()
      return true
    }
    return false
  }

  /// Goes back by one screen, and returns `false` if there is no stack.
  @discardableResult public func goBack() -> Bool {
    for case .stack(let pop) in root.elements {
      pop()
      return true
    }
    return false
  }

  /// The texts of the screens that slide away.
  public var leavingTexts: [String] {
    root.allLeaving.flatMap(\.elements).compactMap {
      if case .text(let text) = $0 { text } else { nil }
    }
  }

  /// Lets all screens that slide away arrive.
  public func endSliding() { root.endSliding() }

  /// The title of the alert or the confirmation that is shown.
  public var dialog: String? {
    for case .dialog(let title, _) in root.elements { return title }
    return nil
  }

  /// Dismisses the dialog that is shown, after a tap on one of its buttons if there is a title.
  @discardableResult public func answer(_ title: String?) -> Bool {
    for case .dialog(_, let dismiss) in root.elements {
      let isFound = title.map { tap($0) } ?? true
      dismiss()
      return isFound
    }
    return false
  }

  /// What the user can do in this frame, which may be done later and more than once.
  public var gestures: [(name: String, perform: @MainActor () -> Void)] {
    root.elements.compactMap {
      switch $0 {
      case .button(let title, let action): ("tap \(title)", action)
      case .sheet(let dismiss): ("dismiss sheet", dismiss)
      case .dialog(let title, let dismiss): ("dismiss \(title)", dismiss)
      case .stack(let pop): ("go back", pop)
      case .text, .field, .toggle, .link: nil
      }
    }
  }

  /// Opens a link of the app, and returns `false` if no view takes it.
  @discardableResult public func open(_ link: URL) -> Bool {
    for case .link(let open) in root.elements {
      open(link)
      return true
    }
    return false
  }

  /// Taps the button with this title, and returns `false` if there is no such button.
  @discardableResult public func tap(_ title: String) -> Bool {
    for case .button(title, let action) in root.elements {
      action()
      return true
    }
    return false
  }
}

/// A visible element.
enum Element {
  case text(String)
  case button(String, @MainActor () -> Void)
  case field(String, Binding<String>)
  case toggle(String, Binding<Bool>)
  case sheet(@MainActor () -> Void)
  case dialog(String, @MainActor () -> Void)
  case stack(@MainActor () -> Void)
  case link((URL) -> Void)
}
