/// The memory of an outermost state, in one block because a store should cost little (B13).
///
///     │ AccessState │ padding │ State │
enum StateBlock<State> {
  private static var offset: Int {
    let alignment = MemoryLayout<State>.alignment
    return (MemoryLayout<AccessState>.size + alignment - 1) / alignment * alignment
  }

  @unsafe static func allocate(for state: State) -> (
    access: UnsafeMutablePointer<AccessState>, state: UnsafeMutablePointer<State>
  ) {
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: offset + MemoryLayout<State>.size,
      alignment: max(MemoryLayout<State>.alignment, MemoryLayout<AccessState>.alignment))
    return unsafe (
      block.initializeMemory(as: AccessState.self, to: AccessState()),
      (block + offset).initializeMemory(as: State.self, to: state)
    )
  }

  /// Frees the block of a state that was deinitialized.
  @unsafe static func deallocate(_ state: UnsafeMutablePointer<State>) {
    unsafe (UnsafeMutableRawPointer(state) - offset).deallocate()
  }
}

/// Whether a storage frees the memory of its state, and how.
enum MemoryOwnership {
  /// It frees the `StateBlock` in which the state lies.
  case block
  /// It frees the state.
  case copy
  /// It frees nothing. The memory is that of a state around it, or is not used.
  case others
}
