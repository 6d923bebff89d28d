/// A value of a dictionary.
final class ValuePlace<Owner, ID: Hashable, State>: StatePlace<State> {
  let id: ID
  private let collection: DictionaryCollection<Owner, ID, State>
  private let owner: StateStorage<Owner>
  private let keyPath: WritableKeyPath<Owner, [ID: State]>
  private let offset: Int?

  init(_ id: ID, in collection: DictionaryCollection<Owner, ID, State>) {
    self.id = id
    self.collection = collection
    (owner, keyPath) = (collection.owner, collection.whole)
    offset = MemoryLayout<Owner>.offset(of: keyPath)
    super.init(in: owner)
  }

  override var isPresent: Bool {
    // Read at its address, because a key path takes many times as long.
    if let offset, !owner.isAway, !collection.isRewound {
      return unsafe (UnsafeRawPointer(owner.memory) + offset)
        .assumingMemoryBound(to: [ID: State].self).pointee.index(forKey: id) != nil
    }
    return values?.index(forKey: id) != nil
  }

  override var found: State? { values?[id] }

  private var values: [ID: State]? {
    collection.isRewound ? collection.kept : owner.found?[keyPath: keyPath]
  }

  override var lastState: State? { owner.current[keyPath: keyPath][id] ?? collection.kept?[id] }

  override var state: State {
    get { owner.projected[keyPath: keyPath][id]! }  // present, as the caller has checked
    _modify {
      yield &owner.projected[keyPath: keyPath][inPlace: id]
    }
  }
}

extension Dictionary {
  /// The value of a key, which must be there, and which stays where it is during a change.
  fileprivate subscript(inPlace key: Key) -> Value {
    get { self[key]! }  // present, as the caller has checked
    _modify {
      let index = index(forKey: key)!  // present, as the caller has checked
      yield &values[index]
    }
  }
}
