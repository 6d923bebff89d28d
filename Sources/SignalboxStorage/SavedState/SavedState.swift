import Foundation
import Signalbox

/// The parts of a state that outlive the process, and where they are stored.
///
///     let saved = SavedState<Note>("note", version: 2, in: FileStorage(folder: folder))
///       .property("draft", \.draft)
///       .property("to", \.recipients)
///       .migration(from: 1) { values in values.rename("text", to: "draft") }
///
///     var note = Note()
///     let outcome = saved.restore(into: &note)
///     let store = Store(state: note, interactor: Editor(saved: saved))
///
/// A hook of the store saves what changes, with `autosave`. At the end of the program, `flush()`
/// saves at once. One process at a time may write under a name (P7). Within it, several `SavedState`s
/// may have the same name. The process gives the right up when all of them are released and the last
/// save has ended.
@MainActor public final class SavedState<State> {
  let name: String
  let version: Int
  private let storage: any Storage
  private(set) var properties: [SavedProperty<State>] = []
  private var migrations: [Int: (inout SavedValues) throws -> Void] = [:]
  private(set) lazy var saver = OpenFiles.saver(name, in: storage)
  private(set) lazy var format = SavedFormat(version: version, coders: properties.map(\.coder))
  private(set) var others: [String: Data] = [:]
  private var isInUse = false

  private var origin = SaveSource.Origin.new
  /// What the restores since the last store have found.
  private var basis: Basis?

  /// Why the last restore could not decode what was stored; `nil` if it could.
  ///
  /// It is also set with `.restored` if the values are those that an earlier store has left.
  public private(set) var damage: String?

  /// Declares a saved state without properties.
  ///
  /// - Parameters:
  ///   - name: the name under which the values are stored. Any text but an empty one will do.
  ///   - version: the version of the properties' names and types. Increase it when you change them,
  ///     and add a `migration`. Adding a property needs no new version, because a property that is
  ///     not stored keeps the value that it has.
  ///   - storage: where the values are stored.
  public init(_ name: String, version: Int = 1, in storage: any Storage) {
    if name.isEmpty { fatalError("A SavedState needs a name that is not empty.") }
    if version < 1 { fatalError("The version of the SavedState \"\(name)\" must be at least 1.") }
    self.name = name
    self.version = version
    self.storage = storage
  }

  /// Adds a property, which is saved under a name of its own (P2).
  ///
  /// Traps if the property is `@Redacted` or contains a property that is, or if the library cannot
  /// tell, as for a computed property of a type that has a redacted one with the same type of value.
  ///
  /// - Parameters:
  ///   - name: the name in the file. It stays the same if the property gets another name in the code.
  ///   - keyPath: the property.
  /// - Returns: this object.
  @discardableResult
  public func property<Value: Codable & Sendable>(
    _ name: String, _ keyPath: WritableKeyPath<State, Value>
  ) -> SavedState {
    mustNotBeInUse("property(\"\(name)\", …)")
    if properties.contains(where: { $0.coder.name == name }) {
      fatalError("The SavedState \"\(self.name)\" has two properties with the name \"\(name)\".")
    }
    if RedactedFields.mayMeet(keyPath, Value.self) { refuseRedacted(name) }
    properties.append(SavedProperty(name, keyPath))
    return self
  }

  /// Adds the step from one version to the next (P6).
  ///
  /// If a version is older by several steps, they run one after the other. If a step is missing or
  /// throws, the stored values are set aside.
  ///
  /// - Parameters:
  ///   - version: the version that the step starts from. It leads to the version after it.
  ///   - migrate: changes the stored values. It is kept as long as this object.
  /// - Returns: this object.
  @discardableResult
  public func migration(
    from version: Int, _ migrate: @escaping (inout SavedValues) throws -> Void
  ) -> SavedState {
    mustNotBeInUse("migration(from: \(version))")
    if version >= self.version {
      fatalError(
        """
        The SavedState "\(name)" has version \(self.version), so there is nothing to migrate to from \
        version \(version). Increase the version.
        """)
    }
    if migrations.updateValue(migrate, forKey: version) != nil {
      fatalError("The SavedState \"\(name)\" has two migrations from version \(version).")
    }
    return self
  }

  /// Puts the stored values into a state, before a store is made of it (P1).
  ///
  /// It reads the file on the main actor and returns when that is done. Only with `.restored` and
  /// `.migrated`, the state is changed. A property that is not stored keeps its value. It may be
  /// called again, for example after `.busy`, or for another store. The newest values of this process
  /// are restored, also if they are not stored yet. But what a store has after `.busy` or
  /// `.unavailable` does not continue the file, so then the file is restored. In a batch, changes of
  /// the batch are not found, and the outcome is `.unavailable` if a save is pending. Make one store of
  /// what a restore has found, before the next restore.
  ///
  /// - Parameter state: the state that a store will be made of.
  /// - Returns: what was found. Show it unless it is `.nothing` or `.restored`.
  @discardableResult
  public func restore(into state: inout State) -> Restored {
    isInUse = true
    checkRedaction(in: state)
    let found = saver.open(format, migrating: migrated)
    damage = found.damage
    origin = found.basis == nil ? .failed : .found
    if let new = found.basis {
      basis = basis?.common(with: new) ?? new
      others = found.fields?.others ?? [:]
    }
    if let fields = found.fields {
      for (property, value) in zip(properties, fields.values) {
        // The next save leaves the value out, so the file is copied before it is replaced.
        if let value, !property.put(value, &state) { basis = Basis([]) }
      }
    }
    return found.outcome
  }

  private func migrated(_ json: Data, from stored: Int) throws -> SavedFields {
    var values = SavedValues(fields: try JSONScanner.fields(of: json))
    for version in stored..<version {
      guard let migrate = migrations[version] else {
        throw Mistake("There is no migration from version \(version).")
      }
      try migrate(&values)
    }
    return try format.decoded(values.fields)
  }

  /// Saves at once, and returns when the newest values outlive a power cut (P3, P8).
  ///
  /// Call it before the program ends, and wait for it. It saves the values of the newest store whose
  /// hook has called `autosave`, as they are after the current commit. What was typed in older stores
  /// is kept beside the file.
  ///
  /// - Throws: `SaveError` if the values could not be saved, or must not be. When the waiting task is
  ///   cancelled, `CancellationError`, at once, and the save goes on (P11).
  public func flush() async throws {
    isInUse = true
    try await saver.flush()
  }

  private func mustNotBeInUse(_ call: String) {
    if isInUse {
      fatalError(
        "\(call) of the SavedState \"\(name)\" must come before restore, autosave and flush.")
    }
  }

  private func refuseRedacted(_ property: String) -> Never {
    fatalError(
      """
      The property "\(property)" of the SavedState "\(name)" is @Redacted, contains a @Redacted \
      property, or is computed in a type that has one. Nothing that is redacted is saved. Keep \
      secrets in the system's keychain, and save a stored property that has none.
      """)
  }

  func refuseToSave(_ status: WritableKeyPath<State, SaveStatus>, in state: State) {
    for property in properties where changes(property, with: status, in: state) {
      fatalError(
        """
        The status of autosave must not lie in a saved property, as it does, or may do, in \
        "\(property.coder.name)" of the SavedState "\(name)". Each save would change what is saved. \
        Keep the status in a stored property beside it, and make the type of the property Equatable.
        """)
    }
  }

  /// Whether showing another status may count as a change of a saved property.
  private func changes(
    _ property: SavedProperty<State>, with status: WritableKeyPath<State, SaveStatus>,
    in state: State
  ) -> Bool {
    if let bytes = property.bytes, let offset = MemoryLayout<State>.offset(of: status) {
      return bytes.contains(offset)
    }
    // A status that is missing cannot be shown, and a property that is missing cannot be changed.
    guard MemberPath(status).isThere(in: state), let value = property.value(state) else {
      return false
    }
    let old = state[keyPath: status]
    var other = state
    other[keyPath: status] = old == .pending ? .saved : .pending
    // The copy shares objects with the state.
    defer { other[keyPath: status] = old }
    // Without `==`, any change of the state counts as one of the property.
    return property.value(other).flatMap { property.coder.areEqual(value, $0) } != true
  }

  func checkRedaction(in state: State) {
    for property in properties where Redaction.current.meets(property.keyPath, in: state) {
      refuseRedacted(property.coder.name)
    }
  }

  /// Where the first values of a store come from, and what they may replace.
  func origin(of state: State) -> (SaveSource.Origin, Basis) {
    isInUse = true
    // Nothing tells that a second store is made of what the restore for the first one has found.
    defer { basis = nil }
    if origin == .failed { return (.failed, Basis([])) }
    if origin == .found, let basis { return (.found, basis) }
    // A store that begins with the newest values continues them, whatever has restored them.
    let stored = saver.peek(format, migrating: migrated)
    if let fields = stored.fields, let basis = stored.basis, begins(state, with: fields.values) {
      others = fields.others
      return (.found, basis)
    }
    // The values are held only if there may be a file, because the next change copies what is held.
    if stored.outcome == .nothing { return (.new, Basis([])) }
    let fields = SavedFields(values: properties.values(of: state), others: others)
    return (.new, Basis([Snapshot(.values(fields), format)]))
  }

  private func begins(_ state: State, with stored: [(any Sendable)?]) -> Bool {
    zip(properties, stored).allSatisfy { property, stored in
      // A restore leaves a property that is not stored as it is.
      guard let stored else { return true }
      return property.value(state).flatMap { property.coder.areEqual(stored, $0) } ?? false
    }
  }
}

extension Array {
  @MainActor func values<State>(of state: State) -> [(any Sendable)?]
  where Element == SavedProperty<State> {
    map { $0.value(state) }
  }
}

/// One saved property of a state.
@MainActor struct SavedProperty<State> {
  let coder: PropertyCoder
  let keyPath: AnyKeyPath
  /// Reads the property; `nil` if it is missing.
  let value: @MainActor (State) -> (any Sendable)?
  /// Writes the property, and returns whether it is there.
  let put: @MainActor (any Sendable, inout State) -> Bool
  let observe:
    @MainActor (StatePublisher<State, State>, @escaping @MainActor () -> Void) -> Subscription
  let isUntold: @MainActor (StatePublisher<State, State>) -> Bool
  /// Where a stored property lies in the state.
  let bytes: Range<Int>?

  init<Value: Codable & Sendable>(_ name: String, _ keyPath: WritableKeyPath<State, Value>) {
    coder = PropertyCoder(name, Value.self)
    self.keyPath = keyPath
    let path = MemberPath(keyPath)
    // The property itself may be an optional that is nil.
    value = { path.isThere(in: $0) ? .some($0[keyPath: keyPath]) : nil }
    put = { value, state in
      // The coder of this property has decoded the value.
      guard path.isThere(in: state), let value = value as? Value else { return false }
      state[keyPath: keyPath] = value
      return true
    }
    observe = { publisher, hasChanged in
      let part = publisher[dynamicMember: keyPath]
      let (shown, truth) = (part.sink { _ in hasChanged() }, part.observeTruth(hasChanged))
      return Subscription {
        shown.cancel()
        truth.cancel()
      }
    }
    isUntold = { $0[dynamicMember: keyPath].isUntold }
    bytes = MemoryLayout<State>.offset(of: keyPath).map { $0..<$0 + MemoryLayout<Value>.size }
  }
}
