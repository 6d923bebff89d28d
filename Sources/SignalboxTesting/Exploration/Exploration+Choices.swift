import Signalbox

extension Exploration {
  /// What may happen next, first come, first served.
  var choices: [Choice] {
    let pending = endpoints.flatMap(\.pendingCalls).sorted { $0.number < $1.number }
    for call in pending where calls[call.number] == nil { calls[call.number] = calls.count }
    let due = clock.due
    for timer in due where timers[timer.number] == nil { timers[timer.number] = timers.count + 1 }
    var choices = pending.map { call in
      Choice(token: letters(of: call), label: { call.label(call.verb) }, perform: call.answer)
    }
    choices += pending.compactMap { call in
      call.fail.map { fail in
        Choice(token: letters(of: call) + "!", label: { call.label("fails") }, perform: fail)
      }
    }
    choices += due.map { timer in
      let work = timer.work.map { "\($0) wakes" } ?? "a timer fires"
      return Choice(
        token: "\(timers[timer.number] ?? 0)", label: { "\(work) at \(timer.deadline)" },
        perform: { [clock] in clock.wake(timer.number) })
    }
    let left = events.indices.filter { !events[$0].hasHappened }
    let actions = nextActions?.choices ?? []
    let faults = faultsAtRest()
    if choices.isEmpty, !left.isEmpty || !actions.isEmpty || !faults.isEmpty {
      choices.append(Choice(token: Choice.end, label: { "" }, perform: {}))
    }
    return choices
      + left.map { index in
        Choice(
          token: "+\(index + 1)", label: { self.events[index].name },
          perform: {
            self.events[index].hasHappened = true
            self.occurrences.note(self.events[index].name)
            self.events[index].body()
          })
      } + actions + faults
  }

  private func letters(of call: PendingCall) -> String {
    Choice.letters(of: calls[call.number] ?? 0)
  }
}
