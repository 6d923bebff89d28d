/// A state that is no longer the one of now.
@MainActor @safe class Snapshot {
  final let base: UnsafeRawPointer
  fileprivate init(_ base: UnsafeRawPointer) { unsafe self.base = base }
}

@safe final class StateSnapshot<State>: Snapshot {
  private let copy: UnsafeMutablePointer<State>

  init(_ state: State) {
    unsafe copy = .allocate(capacity: 1)
    unsafe copy.initialize(to: state)
    unsafe super.init(UnsafeRawPointer(copy))
  }

  // The memory is this object's alone, and released with it.
  isolated deinit {
    unsafe copy.deinitialize(count: 1)
    unsafe copy.deallocate()
  }
}
