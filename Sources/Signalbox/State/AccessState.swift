/// The access to a state that is in progress, and the flags of the state.
///
/// All storages within one memory share it.
@safe @usableFromInline struct AccessState {
  /// The flags of `ObserverRegistry`.
  @usableFromInline var flags: UInt8 = 0
  /// The object that is changing the state in place.
  ///
  /// It is valid only while `held` is set, and it is only compared.
  @usableFromInline unowned(unsafe) var holder: AnyObject?

  init() {}
}
