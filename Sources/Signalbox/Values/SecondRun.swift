import Foundation

/// Decides whether a closure that ran on one value may also run on another one (T8).
///
/// The closure may use what the value before has: an index, a key, an `id`, the last character of a
/// text, the value of an optional, the payload of an enum. It may also count down to zero. The second
/// run would trap if the actual value lacked such a thing. It has everything if its lists are as long,
/// its texts and sets are not empty, and its keys, identities, payloads and optional values are all
/// there.
///
/// What a closure does with properties is not known. It may search for an element by another
/// property, or use a number that it has just increased as an index.
struct SecondRun {
  private let equality = DeepEquality()

  /// A part of the value before, of the value that the closure made of it, and of the actual value.
  private struct Place {
    let before: Any
    /// `nil` if the closure has removed the part.
    let wanted: Any?
    let actual: Any
    let depth: Int

    /// The part of this part that has a key.
    func part(_ before: Any, _ wanted: Any?, _ actual: Any) -> Place {
      Place(before: before, wanted: wanted, actual: actual, depth: depth + 1)
    }
  }

  /// Whether the closure may run on `actual`.
  ///
  /// - Parameters:
  ///   - actual: the actual value.
  ///   - before: the value before.
  ///   - wanted: what the closure made of `before`.
  func isSafe(on actual: Any, after before: Any, wanting wanted: Any) -> Bool {
    var work = [Place(before: before, wanted: wanted, actual: actual, depth: 0)]
    while let place = work.popLast() {
      if equality.areSame(place.before, place.actual) { continue }
      guard let parts = parts(of: place) else { return false }
      work += parts
    }
    return true
  }

  /// The parts that remain to be examined; `nil` if the actual value lacks something.
  private func parts(of place: Place) -> [Place]? {
    guard let before = OptionalUnwrapping.core(of: place.before) else { return [] }
    guard let actual = OptionalUnwrapping.core(of: place.actual) else { return nil }
    let wanted = place.wanted.flatMap { OptionalUnwrapping.core(of: $0) }
    if type(of: before) is AnyClass || place.depth > SourceChanges.limits.depth { return [] }
    if let number = before as? any FixedWidthInteger {
      return number.mayChange(to: wanted, again: actual) ? [] : nil
    }
    switch (ValueShape.at(before, .idle, bare: true), ValueShape.at(actual, .idle, bare: true)) {
    case (.text, .text(let actual)): return actual.isEmpty ? nil : []
    case (.data(let before), .data(let actual)): return before.count <= actual.count ? [] : nil
    case (.parts(let before), .parts(let actual)) where before.name == actual.name:
      return parts(of: place, before, wanted, actual)
    // Another case, or a value of another type.
    case (.parts, _): return nil
    default: return []
    }
  }

  private func parts(
    of place: Place, _ before: ValueParts, _ wanted: Any?, _ actual: ValueParts
  ) -> [Place]? {
    var wantedParts: ValueParts.Children?
    if let wanted, case .parts(let parts) = ValueShape.at(wanted, .idle, bare: true),
      parts.name == before.name
    {
      wantedParts = parts.children
    }
    switch (before.children, actual.children) {
    case (.fields(let before), .fields(let actual)):
      var wanted: [Field] = []
      if case .fields(let fields) = wantedParts { wanted = fields }
      return zip(before, actual).enumerated().map { index, pair in
        let wanted = index < wanted.count ? wanted[index].value : nil
        return place.part(pair.0.value, wanted, pair.1.value)
      }
    case (.list(let before), .list(let actual)):
      return elements(of: place, before, actual)
    case (.members(let before), .members(let actual)):
      return before.size == 0 || actual.size > 0 ? [] : nil
    case (.entries(let before), .entries(let actual)):
      var wanted: (any AnyDictionary)?
      if case .entries(let entries) = wantedParts { wanted = entries }
      var parts: [Place] = []
      for key in before.allKeys {
        guard let old = before.value(for: key), let new = actual.value(for: key) else { return nil }
        parts.append(place.part(old, wanted?.value(for: key), new))
      }
      return parts
    default: return []
    }
  }

  private func elements(
    of place: Place, _ before: any AnyList, _ actual: any AnyList
  ) -> [Place]? {
    guard before.length <= actual.length else { return nil }
    let identities = (0..<actual.length).compactMap { Keys.identity(actual.item($0)) }
    let places = Dictionary(zip(identities, identities.indices)) { first, _ in first }
    var parts: [Place] = []
    for index in 0..<before.length {
      let element = before.item(index)
      let identity = identities.count == actual.length ? Keys.identity(element) : nil
      guard let other = identity.map({ places[$0] }) ?? index else { return nil }
      parts.append(place.part(element, nil, actual.item(other)))
    }
    return parts
  }
}

extension FixedWidthInteger {
  /// Whether a number that changed to `wanted` may change by as much again.
  ///
  /// It must not overflow. If it was an index or a number of things, it must not become negative.
  fileprivate func mayChange(to wanted: Any?, again actual: Any) -> Bool {
    guard let actual = actual as? Self else { return false }
    guard let wanted = wanted as? Self, wanted != self else { return true }
    let (distance, isFar) =
      wanted > self
      ? wanted.subtractingReportingOverflow(self) : subtractingReportingOverflow(wanted)
    let (again, isOut) =
      wanted > self
      ? actual.addingReportingOverflow(distance) : actual.subtractingReportingOverflow(distance)
    if isFar || isOut { return false }
    return again >= 0 || self < 0 || wanted < 0 || actual < 0
  }
}

extension SourceChanges {
  /// Whether a closure that made `wanted` of `before` may also run on `actual`.
  package static func mayRunAgain(
    on actual: Any, after before: Any, wanting wanted: Any
  ) -> Bool {
    SecondRun().isSafe(on: actual, after: before, wanting: wanted)
  }
}
