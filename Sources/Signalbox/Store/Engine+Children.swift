extension Engine {
  /// Declares the children, once, then connects the hooks and begins children, unless withheld.
  func connect<A: Actionable<State, Action>>(
    _ feature: A, connectHooks: (A) -> Void
  ) {
    if declared == nil {
      let parent = ParentScope(in: self)
      declare(feature.children(of: MutatingStore(parent)), of: parent)
    }
    if isWithheld { return }
    if !isClosed { connectHooks(feature) }
    declared?.owner.beginsChildren = true
    for child in children where !isClosed { child.update() }
  }

  private func declare(_ children: Children<State>, of scope: ParentScope<State, Action>) {
    if children.isDefault { return }
    scope.beginForwarding()
    let owner = ChildOwner(storage, self)
    // Making the declarations may have ended this store.
    if isClosed { owner.close() }
    let sites = isClosed ? [] : children.declarations.map { $0.makeSite(owner) }
    declared = DeclaredChildren(sites, owner)
    if sites.isEmpty { return }
    storage.home.add(sites.filter { $0.isTold })
    log.whenWatched { [unowned self] isWatched in
      for child in self.liveChildren { child.setParentWatched(isWatched) }
    }
  }

  var children: [ChildSite<State>] { declared?.sites ?? [] }

  var liveChildren: [any ChildEngine] { children.flatMap { $0.children } }

  func closeChildren() {
    guard let declared else { return }
    declared.owner.close()
    let sites = declared.sites
    storage.home.remove(sites)
    for child in sites { child.close() }
    // Released last, because closures that make interactors may hold objects that call back.
    declared.sites = sites.filter { $0.isKept }
    withExtendedLifetime(sites) {}
  }

  func cancelAll() {
    book.cancelAll()
    for child in liveChildren { child.cancelAll() }
  }

  var runningCount: Int {
    declared == nil ? book.count : liveChildren.reduce(book.count) { $0 + $1.runningCount }
  }

  var busyBook: WorkBook? {
    if book.count > 0 { return book }
    for child in liveChildren { if let book = child.busyBook { return book } }
    return nil
  }
}

/// The children that an interactor has declared.
@MainActor final class DeclaredChildren<State> {
  /// In the order of the declarations.
  var sites: [ChildSite<State>]
  let owner: ChildOwner<State>

  init(_ sites: [ChildSite<State>], _ owner: ChildOwner<State>) {
    self.sites = sites
    self.owner = owner
  }
}

extension Engine: ChildEngine {
  var eventLog: any ParentLog { log }

  func setParentWatched(_ isWatched: Bool) { log.parentIsWatched(isWatched) }

  func reportDuplicate(_ text: String) {
    let id = log.emit(.duplicateChild(text), cause: log.currentCause)
    guard id == nil else { return }
    SystemLog.report(
      """
      \(linePrefix): two elements have the id of the child \(text). The first is the child. Give each \
      element an id of its own.
      """)
  }
}
