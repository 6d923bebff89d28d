// What Foundation re-exports of the Objective-C runtime, and that runtime's part in sending actions.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

/// The name of a method.
public struct Selector: Hashable, Sendable {
  private let name: String
  /// Makes it.
  public init(_ str: String) { name = str }
}

/// How an object holds what is associated with it.
public enum objc_AssociationPolicy: Sendable {
  /// It keeps it alive.
  case OBJC_ASSOCIATION_RETAIN_NONATOMIC
}

/// Associates a value with an object.
public func objc_setAssociatedObject(
  _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
  nonisolated(unsafe) let (object, key, value) = (object, key, value)
  MainActor.assumeIsolated { (object as? NSResponder)?.associations[key] = value }
}

/// What is associated with an object.
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
  nonisolated(unsafe) let (object, key) = (object, key)
  nonisolated(unsafe) var value: Any?
  MainActor.assumeIsolated { value = (object as? NSResponder)?.associations[key] }
  return value
}

/// Not Objective-C's: an object that can be sent a message by its name.
///
/// There, every method that is `@objc` is found by its name.
@MainActor public protocol ActionReceiver: AnyObject {
  /// Carries out what the selector names.
  func receive(_ action: Selector, from sender: Any?)
}
