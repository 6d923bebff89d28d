/// A program with a user interface.
@MainActor @preconcurrency public protocol App {
  /// The type of the body.
  associatedtype Body: Scene
  /// The windows of the app.
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  /// Creates the app.
  @MainActor @preconcurrency init()
}

extension App {
  /// Runs the app, for which there is no screen here.
  @MainActor @preconcurrency public static func main() { fatalError("There is no screen here.") }
}

/// A part of an app's user interface.
@MainActor @preconcurrency public protocol Scene {
  /// The type of the body.
  associatedtype Body: Scene
  /// The content of the scene.
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: Scene {}

/// Combines scenes.
@resultBuilder public enum SceneBuilder {
  /// Builds a single scene.
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// Windows with equal content.
public struct WindowGroup<Content: View>: Scene {
  private let content: Content

  /// Creates the windows.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// A scene that draws itself has no body.
  public var body: Never { fatalError("a scene that draws itself has no body") }
}
