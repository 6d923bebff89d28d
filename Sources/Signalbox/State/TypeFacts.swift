// What the compiler knows of a type and no public API tells. Each is a constant in specialised code,
// where a dynamic cast would cost more than the change that it is asked for.

/// Whether copying a value is copying its bytes, so that keeping one makes no later change copy.
@inlinable @inline(__always) func isTrivial<T>(_ type: T.Type) -> Bool { _isPOD(type) }

/// Whether a value is `nil`, also where its type is not known to be optional.
@inlinable @inline(__always) func isNil<T>(_ value: @autoclosure () -> T) -> Bool {
  _isOptional(T.self) && isNilOptional(value())
}

@usableFromInline func isNilOptional<T>(_ value: T) -> Bool {
  (value as? any AnyNil)?.isNil ?? true
}

private protocol AnyNil {
  var isNil: Bool { get }
}

extension Optional: AnyNil {
  fileprivate var isNil: Bool { self == nil }
}
