/// The children of a store.
extension Engine {
  /// Connects the hooks of an interactor, and begins its children.
  func connect<I: Interactor<State, Action>>(_ interactor: I, _ scope: Scope<State, Action>) {
    declare(interactor.children(of: MutatingStore(scope)))
    if !isClosed { connect(interactor) }
    for child in children where !isClosed { child.update() }
  }

  private func declare(_ declared: Children<State>) {
    declaresChildren = !declared.isDefault
    guard !isClosed, !declared.declarations.isEmpty else { return }
    let owner = ChildOwner(storage, self)
    self.owner = owner
    children = declared.declarations.map { $0.makeSite(owner) }
    storage.home.sites += children
    log.onWatched = { [unowned self] isWatched in
      for child in self.liveChildren { child.setParentWatched(isWatched) }
    }
  }

  var liveChildren: [any ChildEngine] { children.flatMap(\.children) }

  func closeChildren() {
    guard !children.isEmpty else { return }
    owner?.close()
    let sites = children
    storage.home.sites.removeAll { site in sites.contains { $0 === site } }
    for child in sites { child.close() }
    // Released last, because closures that make interactors may hold objects that call back.
    children = sites.filter(\.isKept)
    withExtendedLifetime(sites) {}
  }

  func cancelAll() {
    book.cancelAll()
    for child in liveChildren { child.cancelAll() }
  }

  var runningCount: Int {
    children.isEmpty ? book.count : liveChildren.reduce(book.count) { $0 + $1.runningCount }
  }

  var busyBook: WorkBook? {
    if book.count > 0 { return book }
    for child in liveChildren { if let book = child.busyBook { return book } }
    return nil
  }
}

extension Engine: ChildEngine {
  var eventLog: any ParentLog { log }

  func setParentWatched(_ isWatched: Bool) { log.isParentWatched = isWatched }

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
