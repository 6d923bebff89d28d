#if canImport(SwiftUI)
import Signalbox
public import SwiftUI

extension NavigationStack {
  /// Shows a path of screens on top of a root (N1).
  ///
  ///     NavigationStack(path: $store.path) {
  ///       MailboxesView(store: store)
  ///     } destination: { index, screen in
  ///       switch screen {
  ///       case .mailbox:
  ///         store.child(\.path, at: index, MailboxFeature.self).map { MailboxView(store: $0) }
  ///       case .about: AboutView()
  ///       }
  ///     }
  ///
  /// The path is the only place that says what is shown. When the user goes back, the screens that they
  /// leave are removed from it, if it still has them. Pending changes stay pending (O3). A screen that
  /// slides away keeps its last content. The view that contains the stack is redrawn when anything in
  /// the path changes, and the view of a child only when what it reads has changed (M5).
  ///
  /// - Parameters:
  ///   - path: the path, whose elements need not be `Hashable`.
  ///   - root: the view below all screens.
  ///   - destination: makes the view of a screen, given its index in the path and its value. It is
  ///     called while the path has the screen.
  @MainActor public init<Screen, Base: View, Destination: View>(
    path: Binding<[Screen]>, @ViewBuilder root: () -> Base,
    @ViewBuilder destination: @escaping @MainActor (_ index: Int, _ screen: Screen) -> Destination
  ) where Data == [ScreenLink], Root == PathRoot<Screen, Base, Destination> {
    let base = root()
    self.init(path: ScreenLink.links(of: path)) {
      PathRoot(base: base, path: path, destination: destination)
    }
  }
}

/// What tells a screen from others for SwiftUI: its index, its case and the `id` of its payload
/// (N2).
public struct ScreenLink: Hashable {
  let index: Int
  let identity: ScreenIdentity

  static func links<Screen>(of path: [Screen]) -> [ScreenLink] {
    path.enumerated().map { ScreenLink(index: $0, identity: ScreenIdentity(of: $1)) }
  }

  /// A link that goes takes its screen with it.
  @MainActor static func links<Screen>(of path: Binding<[Screen]>) -> Binding<[ScreenLink]> {
    let shown = links(of: path.wrappedValue)
    return Binding(
      get: { links(of: path.wrappedValue) },
      set: { links, transaction in
        // If the path has changed since the user saw it, they have gone back too late.
        guard links.count < shown.count, shown.starts(with: links),
          Self.links(of: path.wrappedValue) == shown
        else { return }
        let first = links.count
        let isMeant: ([Screen]) -> Bool = {
          Self.links(of: $0).dropFirst(first).first == shown[first]
        }
        withTransaction(transaction) {
          path.change(where: isMeant) { $0.removeSubrange(first...) }
        }
      })
  }
}

/// The root of a stack, and the destinations of its screens.
public struct PathRoot<Screen, Base: View, Destination: View>: View {
  let base: Base
  let path: Binding<[Screen]>
  let destination: @MainActor (Int, Screen) -> Destination

  /// The root, with a destination for each screen.
  public var body: some View {
    base.navigationDestination(for: ScreenLink.self) {
      ScreenView(link: $0, path: path, destination: destination)
    }
  }
}

/// A screen, which keeps its last view while it slides away.
private struct ScreenView<Screen, Destination: View>: View {
  let link: ScreenLink
  @Binding var path: [Screen]
  let destination: @MainActor (Int, Screen) -> Destination
  // `@State` would not do, because it is a macro in later SDKs.
  private let last = SwiftUI.State(wrappedValue: LastView<Destination>())

  init(
    link: ScreenLink, path: Binding<[Screen]>,
    destination: @escaping @MainActor (Int, Screen) -> Destination
  ) {
    self.link = link
    _path = path
    self.destination = destination
  }

  var body: Destination? {
    if path.indices.contains(link.index),
      ScreenIdentity(of: path[link.index]) == link.identity
    {
      last.wrappedValue.view = destination(link.index, path[link.index])
    }
    return last.wrappedValue.view
  }
}

@MainActor private final class LastView<Content> {
  var view: Content?

  nonisolated init() {}
}
#endif
