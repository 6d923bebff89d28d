import Signalbox

extension TestStore: SettlingStore {
  var eventNumbers: EventNumbers { store.eventLog.numbers }

  var sections: String { reporter.failure("").sections }

  func willCall(from site: CallSite) { recorder.ledger.site = site }

  /// - Parameter isDispatch: whether to keep the state that the store has when the action ends.
  func start(_ action: Action, isDispatch: Bool = false) -> ActionTask {
    let scope = scope
    // It is removed after a crash.
    if reporter.isGone, !scope.stores.contains(where: { $0 === self }) {
      scope.meets(storeOfOtherTest: storeName)
    }
    store.instruments.drainPosts()
    let ledger = recorder.ledger
    (ledger.isSending, ledger.isDispatching) = (true, isDispatch)
    defer { (ledger.isSending, ledger.isDispatching) = (false, false) }
    return store.send(action)
  }

  var snapshot: StoreSnapshot {
    StoreSnapshot(
      store.instruments.state, lastEvent: recorder.lastEvent,
      events: recorder.events.count + recorder.droppedEvents, of: storeName, number: number)
  }

  func reportErrors() { reporter.reportMishaps() }

  func processHasCrashed() {
    reporter.isGone = true
    deactivateHooks()
    cancelAll()
  }

  func log(from events: Int) -> [String] {
    // Events are in the order of their numbers, and there may be many.
    recorder.events.reversed().prefix { $0.id > events }.reversed()
      .flatMap(reporter.failure("").lines(of:))
  }

  func hasSettled(includingBodies: Bool) -> Bool {
    parent?.hasSettled(includingBodies: includingBodies)
      ?? (drainPosts() && tracker.inFlight.isQuiet(includingBodies: includingBodies))
  }

  /// Delivers posts, and posts in response; `false` if each of 10,000 rounds has led to more.
  private func drainPosts() -> Bool {
    for _ in 0..<10_000 {
      let before = recorder.lastEvent
      store.instruments.drainPosts()
      if recorder.lastEvent == before { return true }
    }
    return false
  }

  var restlessness: String {
    "\(scope.restlessWork()) runs in a loop, computes for a long time, or blocks a thread"
  }

  @discardableResult
  func settle(
    _ subject: String, _ timeout: Duration, includingBodies: Bool = false, at site: CallSite
  ) async -> Bool {
    let end = await Patience(timeout, in: scope).waitForRest {
      hasSettled(includingBodies: includingBodies)
    }
    switch end {
    case .happened: return true
    case .cancelled: break
    case .elapsed:
      let work = busyWork(includingBodies: includingBodies)
      fail(
        "\(subject): still running at the end: \(TestScope.text(of: work)). Waited for \(timeout).",
        at: site)
    case .restless: fail("\(subject): never comes to rest: \(restlessness).", at: site)
    }
    return false
  }
}

extension SettlingStore {
  func has(_ work: Piece) -> Bool {
    [tracker.inFlight, tracker.sequences].contains {
      $0.all(includingBodies: true).contains { $0 === work }
    }
  }

  func busyWork(includingBodies: Bool) -> [String] {
    tracker.inFlight.busyNames(includingBodies: includingBodies)
  }

  /// The name of work that waits for a clock other than this one, if there is such work.
  func work(notOn clock: TestClock) -> String? {
    let held = tracker.held.all()
    // A value that is held back without a wait is held back in real time.
    if let piece = held.first(where: \.waits.isEmpty) { return piece.name }
    return (tracker.inFlight.all(includingBodies: true) + held).first { piece in
      piece.waits.contains { wait in
        switch wait {
        case .clock(let other, _), .interval(let other, _): other !== clock
        default: false
        }
      }
    }?.name
  }

  /// The name of work that waits at an endpoint other than these, and the name of the endpoint.
  func work(atEndpointsOtherThan endpoints: Set<ObjectIdentifier>) -> (work: String, name: String)?
  {
    for piece in tracker.inFlight.all(includingBodies: true) {
      for case .endpoint(let id, let name, _) in piece.waits where !endpoints.contains(id) {
        return (named(piece.name), name)
      }
    }
    return nil
  }

  /// The names of the work that has a job queued or running, each with the name of the store.
  var runningWork: [String] {
    tracker.inFlight.all(includingBodies: true).filter(\.isRunning).map { named($0.name) }
  }
}
