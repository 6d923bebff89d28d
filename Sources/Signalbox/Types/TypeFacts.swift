// Facts about a type that the compiler knows and that no public API provides. Each is a constant in
// specialised code, where a dynamic cast would cost more than the change that needs the fact. Only
// this file calls the underscored functions of the standard library.

/// Whether copying a value only copies its bytes, so that keeping one makes no later change copy.
@inlinable @inline(__always) package func isTrivial<T>(_ type: T.Type) -> Bool { _isPOD(type) }

/// Whether a value is `nil`, even where its type is not known to be optional.
@inlinable @inline(__always) func isNil<T>(_ value: @autoclosure () -> T) -> Bool {
  _isOptional(T.self) && isNilOptional(value())
}

@usableFromInline func isNilOptional<T>(_ value: T) -> Bool {
  (value as? any AnyOptional)?.isNil ?? true
}
