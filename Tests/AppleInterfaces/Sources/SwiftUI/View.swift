// The library's names may clash with what SwiftUI re-exports, so the same is re-exported here.
@_exported public import Combine
@_exported public import Foundation
@_exported public import Observation

/// A part of a user interface.
@MainActor @preconcurrency public protocol View {
  /// The type of the body.
  associatedtype Body: View
  /// The content of the view.
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  /// A view that draws itself has no body.
  public var body: Never { fatalError("a view that draws itself has no body") }
}

extension View {
  /// Binds the identity of the view to a value.
  public func id<ID: Hashable>(_ id: ID) -> some View {
    IdentifiedView(content: self, identity: id)
  }

  /// Calls a closure when the view appears.
  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    AppearanceView(content: self, appear: action, disappear: nil)
  }

  /// Calls a closure when the view disappears.
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    AppearanceView(content: self, appear: nil, disappear: action)
  }
}

/// A view that draws itself.
@MainActor protocol PrimitiveView {
  func draw(in node: Node)
}

extension PrimitiveView {
  /// A view that draws itself has no body.
  public var body: Never { fatalError("a view that draws itself has no body") }
}

private struct IdentifiedView<Content: View>: View, PrimitiveView {
  let content: Content
  let identity: AnyHashable

  func draw(in node: Node) {
    node.keepChildren(identifiedBy: identity)
    node.child(0).draw(content)
  }
}

private struct AppearanceView<Content: View>: View, PrimitiveView {
  let content: Content
  let appear: (() -> Void)?
  let disappear: (() -> Void)?

  func draw(in node: Node) {
    node.appearance = (appear, disappear)
    node.child(0).draw(content)
  }
}
