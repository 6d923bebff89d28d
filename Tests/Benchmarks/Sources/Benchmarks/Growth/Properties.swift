import Signalbox

extension Growth {
  static let properties = Curve(
    name: "properties", title: "A property changes, and each has an observer",
    axis: "properties of the state", sizes: [5, 10, 20, 50, 100, 200],
    series: [
      Curve.Series("Signalbox", .ours) { size in
        switch size {
        case 5: ours(Five())
        case 10: ours(Twice(part: Five()))
        case 20: ours(FourTimes(part: Five()))
        case 50: ours(Fifty())
        case 100: ours(Twice(part: Fifty()))
        default: ours(FourTimes(part: Fifty()))
        }
      },
      Curve.Series("OpenCombine", .peer) { size in
        switch size {
        case 5: theirs(Five())
        case 10: theirs(Twice(part: Five()))
        case 20: theirs(FourTimes(part: Five()))
        case 50: theirs(Fifty())
        case 100: theirs(Twice(part: Fifty()))
        default: theirs(FourTimes(part: Fifty()))
        }
      },
    ])

  private static func ours<State: Numbers>(_ state: State) -> @MainActor (Int) -> Void {
    let (store, writing) = Writing.store(state)
    let paths = State.keyPaths
    let subscriptions = paths.map { path in
      store.publisher[dynamicMember: path].sink { blackHole($0) }
    }
    return { count in
      for _ in 0..<count { writing[dynamicMember: paths[0]] += 1 }
      blackHole((store, subscriptions))
    }
  }

  private static func theirs<State: Numbers>(_ state: State) -> @MainActor (Int) -> Void {
    let peer = ObservedSubject(state)
    let paths = State.keyPaths
    for path in paths { peer.observe(path) }
    return { count in
      for _ in 0..<count { peer.subject.value[keyPath: paths[0]] += 1 }
    }
  }
}

/// A state that has only numbers.
@MainActor private protocol Numbers {
  static var keyPaths: [WritableKeyPath<Self, Int>] { get }
}

extension Fifty: Numbers {}

private struct Five: Numbers {
  var p0 = 0, p1 = 0, p2 = 0, p3 = 0, p4 = 0
  static let keyPaths: [WritableKeyPath<Five, Int>] = [\.p0, \.p1, \.p2, \.p3, \.p4]
}

private struct Twice<Part: Numbers>: Numbers {
  var first: Part
  var second: Part

  init(part: Part) {
    first = part
    second = part
  }

  static var keyPaths: [WritableKeyPath<Self, Int>] {
    Part.keyPaths.map { (\Self.first).appending(path: $0) }
      + Part.keyPaths.map { (\Self.second).appending(path: $0) }
  }
}

private struct FourTimes<Part: Numbers>: Numbers {
  var both: Twice<Twice<Part>>
  init(part: Part) { both = Twice(part: Twice(part: part)) }

  static var keyPaths: [WritableKeyPath<Self, Int>] {
    Twice<Twice<Part>>.keyPaths.map { (\Self.both).appending(path: $0) }
  }
}
