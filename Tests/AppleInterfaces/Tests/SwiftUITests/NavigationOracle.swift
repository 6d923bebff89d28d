import Signalbox

/// What rules N2 to N4 say of a museum: its state, and a list of the children that live.
@MainActor struct NavigationOracle {
  final class Child {
    let key: String
    /// What a handle reads, also after the end (C6).
    var state: any Inside
    var work: Set<Int> = []
    var handle: AnyObject?

    init(_ key: String, _ state: any Inside) { (self.key, self.state) = (key, state) }

    /// The key without the index, as the journal has it.
    var label: String { key.hasPrefix("memo") ? key : String(key.drop { $0 != " " }.dropFirst()) }
  }

  private(set) var museum = Museum()
  private(set) var live: [Child] = []
  private(set) var gone: [Child] = []
  private(set) var begun: [String] = []
  private(set) var ended: [String] = []
  private(set) var cancelled: Set<Int> = []

  var keys: [String] { museum.path.enumerated().map { $1.key(at: $0) } }

  var texts: [String] {
    let names = museum.path.map { place in place.inside.map { "\($0.name)" } ?? "garden" }
    return ["root"] + names + [museum.memo.map { "\($0.name)" }].compactMap(\.self)
      + [museum.confirmation?.message].compactMap(\.self)
  }

  private static func states(of museum: Museum) -> [(key: String, state: any Inside)] {
    var states = museum.path.enumerated().compactMap { index, place in
      place.inside.map { (place.key(at: index), $0) }
    }
    if let memo = museum.memo { states.append(("memo \(memo.id)", memo)) }
    return states
  }

  func child(_ key: String) -> Child? { live.first { $0.key == key } }

  /// Commits several changes at once.
  mutating func commit(_ changes: ((inout Museum) -> Void)...) {
    let order = museum.order
    for (key, state) in Self.states(of: museum) { child(key)?.state = state }
    for change in changes { change(&museum) }
    let states = Self.states(of: museum)
    for child in live where !states.contains(where: { $0.key == child.key }) {
      live.removeAll { $0 === child }
      gone.append(child)
      ended.append(child.label)
      cancelled.formUnion(child.work)
    }
    for (key, state) in states {
      if let child = child(key) {
        child.state = state
      } else {
        let child = Child(key, state)
        live.append(child)
        begun.append(child.label)
      }
    }
    // The hook of the museum.
    if museum.order != order, let order = museum.order { commit { $0.path = order } }
  }

  /// Changes the state of a child, if that child still lives.
  mutating func change(_ child: Child, _ change: (inout any Inside) -> Void) {
    guard live.contains(where: { $0 === child }) else { return }
    var state = child.state
    change(&state)
    state.seen = state.name
    commit { museum in
      if let memo = state as? Memo { museum.memo = memo }
      let index = museum.path.indices.first { museum.path[$0].key(at: $0) == child.key }
      if let index { museum.path[index].inside = state }
    }
  }

  mutating func send(_ action: MuseumAction) {
    commit {
      switch action {
      case .ask(let number):
        $0.alert = .numbered(number, "ask", .answer(number), .ask(number - number % 2))
      case .confirm(let number): $0.confirmation = .numbered(number)
      case .answer(let number): $0.answers.append(number)
      case .batch(let paths): $0.path = paths.last ?? $0.path
      }
    }
  }

  mutating func send(_ action: InsideAction, to child: Child) {
    guard live.contains(where: { $0 === child }) else { return }
    switch action {
    case .rename(let name): change(child) { $0.name = name }
    case .ask(let number, let name):
      change(child) {
        $0.alert = .numbered(number, name, .answer(number), .ask(number - number % 2, name: name))
      }
    case .answer(let number): change(child) { $0.answers.append(number) }
    case .leave: if !child.key.hasPrefix("memo") { commit { _ = $0.path.popLast() } }
    case .push(let place):
      if !child.key.hasPrefix("memo") { commit { $0.path.append(place) } }
    case .wait(let work): child.work.insert(work)
    }
  }

  // MARK: - The user

  /// Does what a user does who has seen an earlier museum.
  mutating func perform(_ gesture: String, seen: NavigationOracle) {
    let verb = gesture.prefix { $0 != " " }
    let name = gesture.dropFirst(verb.count + 1)
    if verb == "go" {
      if !seen.keys.isEmpty, seen.keys == keys { commit { $0.path.removeLast() } }
    } else if name == "sheet" {
      let memo = seen.live.first { $0.key.hasPrefix("memo") }
      if live.contains(where: { $0 === memo }) { commit { $0.memo = nil } }
    } else if name == "confirm" || name == "sure", let dialog = seen.museum.confirmation {
      if museum.confirmation == dialog { commit { $0.confirmation = nil } }
      if verb == "tap" { dialog.buttons[0].action.map { send($0) } }
    } else if name.hasPrefix("ask"), let dialog = seen.museum.alert {
      if museum.alert == dialog { commit { $0.alert = nil } }
      if verb == "tap" { dialog.action(of: name).map { send($0) } }
    } else {
      let shown = Self.states(of: seen.museum).first { name.hasPrefix($0.key) }
      guard let shown, let child = seen.child(shown.key), let dialog = shown.state.alert else {
        return
      }
      if child.state.alert == dialog { change(child) { $0.alert = nil } }
      if verb == "tap" { dialog.action(of: name).map { send($0, to: child) } }
    }
  }
}

extension AlertState {
  fileprivate func action(of title: Substring) -> Action? {
    buttons.first { $0.title == title }.flatMap(\.action)
  }
}
