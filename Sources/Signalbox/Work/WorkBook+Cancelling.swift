/// How work leaves the book before its body has returned.
///
/// Cancelled work first leaves the book, then ends in `endLeaving`, and then loses its marks.
extension WorkBook {
  /// Cancels work for the caller that started it; what other callers have joined goes on for them.
  func cancel(_ work: Work) {
    takingBackMarks { cancel(work, .requested(by: currentEvent())) }
  }

  /// Cancels all that followed from an event, except what other callers have joined (X7).
  func cancel(startedBy event: WorkWaiters) {
    guard let settlement = event.startedWork else { return }
    noteCancelled(event)
    let works = index.all.flatMap { [$0] + ($0.waiters?.joined.values.map(\.self) ?? []) }
      .filter { $0.wasStarted(by: settlement) }
    takingBackMarks {
      let reason = CancelReason.requested(by: currentEvent())
      for work in works { cancel(work, reason) }
    }
  }

  private func cancel(_ work: Work, _ reason: CancelReason) {
    if work.isEnded { return }
    if work.isJoined { return work.abandon() }
    guard let leader = work.leader else { return cancelRecorded(work, reason) }
    end([work], reason)
    cancelIfLeft(leader, reason)
  }

  /// Cancels work that goes on for other callers than its own, if there are none left.
  private func cancelIfLeft(_ work: Work, _ reason: CancelReason) {
    if work.isUnderWay, work.isAbandoned, !work.isJoined { cancelRecorded(work, reason) }
  }

  /// Cancels work for all callers; all leaves first, so that none starts in the place of another.
  func cancel(_ works: [Work]) {
    let works = works.filter { !$0.isOver }
    if works.isEmpty { return }
    let leaders = works.compactMap(\.leader)
    for work in works { index.remove(work) }
    takingBackMarks {
      let reason = CancelReason.requested(by: currentEvent())
      end(works, reason)
      for leader in leaders { cancelIfLeft(leader, reason) }
      for work in works { startNext(after: work) }
    }
  }

  private func cancelRecorded(_ work: Work, _ reason: CancelReason) {
    index.remove(work)
    end([work], reason)
    startNext(after: work)
  }

  /// Cancels work because a task that awaits it was cancelled; `event` is the first of that caller.
  func callerWasCancelled(_ work: Work, by event: Int?) {
    // Queued, not recursive, because a chain of work in which each awaits the next may be long.
    orphans.append((work, .requested(by: event)))
    if !isEnding { takingBackMarks { endLeaving() } }
  }

  private func end(_ works: [Work], _ reason: CancelReason) {
    for work in works { leaving.append((work, reason)) }
    endLeaving()
  }

  func endLeaving() {
    let isOutermost = !isEnding
    isEnding = true
    while let next = leaving.popFirst() {
      var marks: [@MainActor () -> Void] = []
      // It may run an `onCancel` that cancels in turn.
      nested { marks = next.work.cancel(next.reason) }
      if case .superseded(let successor) = next.reason, !successor.isOver, !marks.isEmpty {
        successor.inherit(marks)
      } else {
        self.marks += marks
      }
    }
    guard isOutermost else { return }
    while let next = orphans.popFirst() { cancel(next.work, next.reason) }
    isEnding = false
  }

  /// Removes the marks of the work that a body ends; last, because work that starts in the body may
  /// mark the same properties.
  func takingBackMarks(_ body: () -> Void) {
    let outer = marks.takeAll()
    body()
    let ended = marks
    marks = outer
    for takeBack in ended { takeBack() }
  }

  func cancel(_ name: WorkName, by event: Int?) {
    guard let lane = lane(name) else { return }
    let works = index.removeAll(of: lane)
    takingBackMarks {
      end(works, .requested(by: event))
      reportIfIdle()
    }
    withExtendedLifetime(lane) {}
  }

  func cancelAll() {
    takingBackMarks { cancelAll(.requested(by: currentEvent())) }
  }

  private func cancelAll(_ reason: CancelReason) {
    let all = index.removeAll()
    end(all.works, reason)
    reportIfIdle()
    withExtendedLifetime(all) {}
  }

  /// Cancels everything and admits nothing more.
  func close() {
    isClosed = true
    takingBackMarks {
      end(failing.takeAll(), .closed)
      cancelAll(.closed)
    }
  }
}
