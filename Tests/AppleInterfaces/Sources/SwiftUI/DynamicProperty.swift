/// A stored property of a view that is updated before the view's body is read.
public protocol DynamicProperty {
  /// Called before the body is read.
  mutating func update()
}

extension DynamicProperty {
  /// Does nothing.
  public mutating func update() {}
}
