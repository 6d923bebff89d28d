/// States that have one id, of which only the first is a child (C8).
extension MovingSite {
  /// All ids, each of which is reported if several states have it.
  func ids() -> [ID] {
    var duplicates: [ID] = []
    let ids = owner.storage.readingTruth { collection.ids { duplicates.append($0) } }
    report(duplicates)
    return ids
  }

  private func report(_ duplicates: [ID]) {
    guard !duplicates.isEmpty else { return }
    var known = reported
    let new = owner.storage.reading { duplicates.filter { known.insert($0).inserted } }
    reported = known
    for id in new {
      owner.engine?.reportDuplicate(path(of: id))
    }
  }

  func path(of id: ID) -> String {
    let path = collection.childPath(of: id)
    return path.text(
      isHidden: owner.engine?.eventLog.hides(path),
      state: owner.storage.readingTruth { collection.place(of: id)?.state })
  }

  /// Whether a state with an id is there, which is reported if it is there more than once.
  func isInCollection(_ id: ID) -> Bool {
    var duplicates: [ID] = []
    let place = owner.storage.readingTruth { collection.place(of: id) { duplicates.append($0) } }
    report(duplicates)
    return place != nil
  }
}
