/// The payload of an enum case.
///
///     closed   state: .session(payload)    buffer: –
///     open     state: no value             buffer: payload, which nothing else refers to
///     kept     state: .session(payload)    buffer: a copy
///
/// A payload has no address of its own, because the enum may keep its case in the same bytes. So a
/// change in place moves it out. Nothing reads the enum meanwhile, because the state is `held`.
@safe class CasePlace<Owner, Enum, State>: StatePlace<State>, OpenableCase {
  @safe private enum Stage {
    case closed
    /// The address of the enum, which has no value.
    case open(UnsafeMutablePointer<Enum>)
    /// A change that has just ended is still compared with the copy.
    case kept
  }

  private let owner: StateStorage<Owner>
  private let location: EnumLocation<Owner, Enum>
  private let enumCase: EnumCase<Enum, State>
  /// Whether a payload is that state; `nil` if any is.
  final let isSame: ((State) -> Bool)?
  private let offset: Int?
  // Used on the main actor only, and by the deinit, which runs there as the place belongs to a storage.
  @safe @exclusivity(unchecked) nonisolated(unsafe) private var stage = Stage.closed
  // Allocated with the first change, and freed by the deinit.
  @exclusivity(unchecked) nonisolated(unsafe) private var buffer: UnsafeMutablePointer<State>?

  init(
    _ location: EnumLocation<Owner, Enum>, _ enumCase: EnumCase<Enum, State>,
    of owner: StateStorage<Owner>, isSame: ((State) -> Bool)?
  ) {
    self.owner = owner
    self.location = location
    self.enumCase = enumCase
    self.isSame = isSame
    offset = location.offset
    super.init(in: owner)
  }

  deinit {
    guard let buffer = unsafe buffer else { return }
    if case .closed = stage {} else { unsafe buffer.deinitialize(count: 1) }
    unsafe buffer.deallocate()
  }

  override var innermostCase: (any OpenableCase)? { self }

  override var isPresent: Bool {
    if case .open = stage { return true }
    if isSame == nil, let enumAtAddress = unsafe enumAtAddress {
      return unsafe enumCase.matches(enumAtAddress)
    }
    return found != nil
  }

  override var found: State? {
    if case .open = stage, let buffer = unsafe buffer { return unsafe buffer.pointee }
    guard let payload, isSame?(payload) ?? true else { return nil }
    return payload
  }

  /// The payload, whatever identity it has.
  var payload: State? {
    if let enumAtAddress = unsafe enumAtAddress {
      return unsafe enumCase.payload(of: enumAtAddress)
    }
    return owner.found.flatMap(payload)
  }

  private func payload(in state: Owner) -> State? {
    location.value(in: state).flatMap { enumCase.payload(of: $0) }
  }

  private var enumAtAddress: UnsafePointer<Enum>? {
    // Read at its address, because a key path takes many times as long.
    guard let offset, !owner.isAway else { return nil }
    return unsafe location.address(from: UnsafeRawPointer(owner.memory) + offset)
  }

  // Also if the state has given itself another identity. Any other change keeps the value before.
  override var lastState: State? { payload(in: owner.current) }

  override var changedState: State? { payload }

  override var state: State {
    get {
      if case .open = stage, let buffer = unsafe buffer { return unsafe buffer.pointee }
      return payload!  // present, as the caller has checked
    }
    _modify {
      var isOutermost = false
      if case .open = stage {
      } else {
        open()
        isOutermost = true
      }
      defer { if isOutermost { close(keepsPayload: false) } }
      yield unsafe &buffer!.pointee  // allocated by `open`
    }
  }

  // MARK: - A change in place

  func open() {
    finish()
    guard case .closed = stage else { return }
    caseAround?.open()
    // The pointer outlives the access, as that of `beginPinned` does.
    let found =
      if let offset, !owner.isAway {
        unsafe location.uniqueAddress(from: UnsafeMutableRawPointer(owner.memory) + offset)
      } else {
        unsafe location.uniqueAddress(in: &owner.projected)
      }
    let address = unsafe found!  // present, as the caller has checked
    let buffer = unsafe buffer ?? .allocate(capacity: 1)
    unsafe self.buffer = buffer
    // Copied and then removed, which leaves a single reference. Present, as the caller has checked.
    unsafe buffer.initialize(to: enumCase.payload(of: address)!)
    unsafe address.deinitialize(count: 1)
    stage = unsafe .open(address)
  }

  func close(keepsPayload: Bool) {
    guard case .open(let address) = stage, let buffer = unsafe buffer else { return }
    if keepsPayload {
      unsafe enumCase.put(buffer.pointee, at: address)
      stage = .kept
    } else {
      unsafe enumCase.put(buffer.move(), at: address)
      stage = .closed
    }
    caseAround?.close(keepsPayload: false)
  }

  func finish() {
    guard case .kept = stage, let buffer = unsafe buffer else { return }
    stage = .closed
    unsafe buffer.deinitialize(count: 1)
  }
}

/// A case whose payload is moved out of its enum for a change in place.
@MainActor protocol OpenableCase: AnyObject {
  /// Moves the payload into memory of its own, here and in the cases around.
  func open()
  /// Puts the case around the payload, here and then in the cases around. With `keepsPayload`, a
  /// copy stays at the address of the payload until `finish`.
  func close(keepsPayload: Bool)
  /// Drops that copy.
  func finish()
}
