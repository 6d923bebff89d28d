/// The payloads of an enum case among the screens of a path, which never move (N2).
final class ScreenCollection<Owner, Enum, State>: KeptCollection<Owner, CaseID, State, [Enum]> {
  let enumCase: EnumCase<Enum, State>
  private let identity = ChildIdentity<State>.found()

  init(
    _ keyPath: WritableKeyPath<Owner, [Enum]>, _ embed: @escaping (State) -> Enum,
    of owner: StateStorage<Owner>
  ) {
    enumCase = EnumCase(embed)
    super.init(keyPath, of: owner)
  }

  override var caseTag: UInt32? { enumCase.tag }

  private var screens: [Enum] { found ?? [] }

  override var anyID: CaseID? {
    let screens = screens
    return screens.indices.lazy.compactMap { self.id(at: $0, in: screens) }.first
  }

  override var count: Int { screens.count { enumCase.matches($0) } }

  override func ids(_ report: (CaseID) -> Void) -> [CaseID] { ids(in: 0..<Int.max) }

  override func ids(in range: Range<Int>) -> [CaseID] {
    let screens = screens
    return range.clamped(to: screens.indices).compactMap { id(at: $0, in: screens) }
  }

  func id(at index: Int) -> CaseID? { id(at: index, in: screens) }

  private func id(at index: Int, in screens: [Enum]) -> CaseID? {
    guard screens.indices.contains(index) else { return nil }
    return enumCase.payload(of: screens[index]).map {
      CaseID(index: index, payload: OnlyID(of: $0, by: identity))
    }
  }

  override func place(of id: CaseID, _ report: ((CaseID) -> Void)?) -> StatePlace<State>? {
    let place = ScreenPlace(id.index, isSame: id.payload.comparison(by: identity), in: self)
    return place.isPresent ? place : nil
  }

  override func childPath(of id: CaseID) -> ChildPath {
    ChildPath(keyPath, at: id.index, case: enumCase.name)
  }

  // MARK: - A change of the path

  override func list(_ place: StatePlace<State>) {
    let screen = isKept ? nil : place as? ScreenPlace<Owner, Enum, State>
    positions.append(screen?.index ?? PositionTable.unknown)
  }

  override func differences(
    _ places: [StatePlace<State>?], _ count: Int
  ) -> CollectionDifferences {
    guard let old = kept else { return super.differences(places, count) }
    let (region, slots) = changes(from: old, to: screens)
    var differences = CollectionDifferences()
    differences.fresh = region
    for slot in slots {
      if let screen = places[slot] as? ScreenPlace<Owner, Enum, State>, screen.isPresent {
        differences.touched.append(slot)
        differences.moved.append((slot, screen.index))
      } else {
        differences.lost.append(slot)
      }
    }
    return differences
  }

  /// The slots of the screens whose bits differ, or that must be searched for.
  private func changes(
    from old: [Enum], to new: [Enum]
  ) -> (region: Range<Int>, slots: [Int]) {
    var region = ChangedRegion(old, new).after
    // What has the same bits behind it may have another index.
    if old.count != new.count { region = region.lowerBound..<max(old.count, new.count) }
    let slots = positions.slots(in: region).filter { slot in
      let index = positions[slot]
      return index < 0 || index >= min(old.count, new.count)
        || !ChangedRegion.areSame(old, index..<index + 1, new, index..<index + 1)
    }
    return (region, slots)
  }
}

/// The payload of a screen, which is also found in the path that is kept from before a change.
final class ScreenPlace<Owner, Enum, State>: CasePlace<Owner, Enum, State> {
  let index: Int
  private let collection: ScreenCollection<Owner, Enum, State>

  init(
    _ index: Int, isSame: ((State) -> Bool)?, in collection: ScreenCollection<Owner, Enum, State>
  ) {
    self.index = index
    self.collection = collection
    super.init(
      .element(collection.whole, index: index), collection.enumCase, of: collection.owner,
      isSame: isSame)
  }

  override var isPresent: Bool { collection.isRewound ? found != nil : super.isPresent }

  override var payload: State? { collection.isRewound ? kept : super.payload }

  override var lastState: State? {
    if let kept, isSame?(kept) ?? true { return kept }
    return super.lastState
  }

  private var kept: State? {
    guard let screens = collection.kept, index < screens.count else { return nil }
    return collection.enumCase.payload(of: screens[index])
  }
}
