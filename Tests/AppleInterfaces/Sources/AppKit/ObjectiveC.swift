// The parts of the Objective-C runtime that Foundation re-exports or that send actions.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

/// The name of a method.
public struct Selector: Hashable, Sendable {
  private let name: String
  /// Creates a selector with the name of a method.
  public init(_ str: String) { name = str }
}

/// How an object holds an associated value.
public enum objc_AssociationPolicy: Sendable {
  /// The object retains the value.
  case OBJC_ASSOCIATION_RETAIN_NONATOMIC
}

/// Associates a value with an object.
public func objc_setAssociatedObject(
  _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
  nonisolated(unsafe) let (object, key, value) = (object, key, value)
  MainActor.assumeIsolated { (object as? NSResponder)?.associations[key] = value }
}

/// Returns the value that is associated with an object.
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
  nonisolated(unsafe) let (object, key) = (object, key)
  nonisolated(unsafe) var value: Any?
  MainActor.assumeIsolated { value = (object as? NSResponder)?.associations[key] }
  return value
}

/// An object that receives messages by their names, which does not exist in Objective-C.
///
/// In Objective-C, every `@objc` method is found by its name.
@MainActor public protocol ActionReceiver: AnyObject {
  /// Runs the method that the selector names.
  func receive(_ action: Selector, from sender: Any?)
}
