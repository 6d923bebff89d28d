import Foundation

/// Decides whether a closure that ran on one value may also run on another one (T8).
///
/// The closure may use what the value before has: an index, a key, an `id`, a member of a set, the
/// last character of a text, the value of an optional, the payload of an enum. It may also count an
/// unsigned number down to zero. The second run would trap if the actual value lacked such a thing,
/// so it must have them all.
///
/// What a closure does with values is not known. It may still search for an element by its value,
/// use a number as an index, or parse a text.
final class SecondRun {
  private let equality = DeepEquality()
  private let before: Any
  private let wanted: Any
  private let actual: Any
  /// The new values of what the closure changed, apart from what it removed.
  private lazy var changes: [String] = SourceChanges(from: before, to: wanted).all.compactMap {
    switch $0.kind {
    case .replaced(_, "nil"), .removed: nil
    case .replaced(_, let value), .inserted(let value), .other(let value): value
    }
  }

  /// A part of the value before, of the value that the closure made of it, and of the actual value.
  private struct Place {
    let before: Any
    /// `nil` if it is not known, such as for the elements of lists.
    let wanted: Any?
    let actual: Any
    let depth: Int

    /// A part inside this one.
    func part(_ before: Any, _ wanted: Any?, _ actual: Any) -> Place {
      Place(before: before, wanted: wanted, actual: actual, depth: depth + 1)
    }
  }

  /// - Parameters:
  ///   - actual: the value on which the closure might run again.
  ///   - before: the value before.
  ///   - wanted: what the closure made of `before`.
  init(on actual: Any, after before: Any, wanting wanted: Any) {
    self.actual = actual
    self.before = before
    self.wanted = wanted
  }

  /// Whether the closure may run on the actual value.
  var isSafe: Bool {
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
    let wanted = place.wanted.flatMap { OptionalUnwrapping.core(of: $0) }
    guard let actual = OptionalUnwrapping.core(of: place.actual) else {
      // The closure has removed the value, too, as an assignment of `nil` does. It may have used the
      // value before.
      return place.wanted != nil && wanted == nil && !mayBeUsed(before) ? [] : nil
    }
    if type(of: before) is AnyClass || place.depth > SourceChanges.limits.depth { return [] }
    if let number = before as? any FixedWidthInteger {
      return number.mayChange(to: wanted, again: actual) ? [] : nil
    }
    switch (ValueShape.at(before, .idle, bare: true), ValueShape.at(actual, .idle, bare: true)) {
    case (.text(let before), .text(let actual)):
      // A text that the closure clears, too, or that it leaves alone, does not need to be there.
      guard let wanted = wanted as? String, wanted != before else { return [] }
      // What the closure took from a text before it cleared it is in another text.
      if wanted.isEmpty, before.count > 1 { return hasNewText ? nil : [] }
      let isCut = before.hasPrefix(wanted) || before.hasSuffix(wanted)
      return actual.count < before.count && isCut || actual.isEmpty && !wanted.isEmpty ? nil : []
    case (.data(let before), .data(let actual)): return before.count <= actual.count ? [] : nil
    case (.parts(let before), .parts(let actual)) where before.name == actual.name:
      return parts(of: place, before, wanted, actual)
    // Another case, or a value of another type. A closure that assigns another case, too, does not
    // need the payload of this one.
    case (.parts(let parts), _):
      guard let name = parts.caseName, let wanted else { return nil }
      if case .parts(let wanted) = ValueShape.at(wanted, .idle, bare: true), wanted.caseName == name
      {
        return nil
      }
      return []
    default: return []
    }
  }

  /// Whether the closure has written a text that is not empty.
  private var hasNewText: Bool { changes.contains { $0.contains("\"") && $0 != "\"\"" } }

  /// Whether the closure may have made something else of a value that it has removed.
  ///
  /// A text that it used appears in another change. What it computed from a number does not, so any
  /// other change may come from a number.
  private func mayBeUsed(_ value: Any) -> Bool {
    if changes.isEmpty { return false }
    var work = [value]
    var count = 0
    while let value = work.popLast(), count < 100 {
      count += 1
      guard let value = OptionalUnwrapping.core(of: value) else { continue }
      if value is any Numeric { return changes.contains { $0.contains(where: \.isNumber) } }
      let children = Mirror(reflecting: value).children
      if children.isEmpty || value is String {
        let text = SourceFormatter.text(of: value)
        if changes.contains(where: { $0.contains(text) }) { return true }
      } else {
        work += children.map(\.value)
      }
    }
    return false
  }

  private func parts(
    of place: Place, _ before: ValueParts, _ wanted: Any?, _ actual: ValueParts
  ) -> [Place]? {
    var wantedParts: ValueParts.Contents?
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
        place.part(pair.0.value, index < wanted.count ? wanted[index].value : nil, pair.1.value)
      }
    case (.list(let before), .list(let actual)):
      return elements(of: place, before, actual)
    case (.members(let before), .members(let actual)):
      var wanted: (any AnySet)?
      if case .members(let members) = wantedParts { wanted = members }
      return before.all.allSatisfy { member in
        // The closure has removed the member, too.
        actual.has(member) || wanted.map { !$0.has(member) } ?? false && !mayBeUsed(member)
      } ? [] : nil
    case (.entries(let before), .entries(let actual)):
      var wanted: (any AnyDictionary)?
      if case .entries(let entries) = wantedParts { wanted = entries }
      var parts: [Place] = []
      for key in before.allKeys {
        guard let old = before.value(for: key) else { return nil }
        if let wanted, wanted.value(for: key) == nil, actual.value(for: key) == nil {
          // The closure has removed the entry, too.
          if mayBeUsed(old) { return nil }
          continue
        }
        guard let new = actual.value(for: key) else { return nil }
        parts.append(place.part(old, wanted?.value(for: key), new))
      }
      return parts
    default: return []
    }
  }

  private func elements(
    of place: Place, _ before: any AnyList, _ actual: any AnyList
  ) -> [Place]? {
    // The indices of a slice are not known.
    guard before.length <= actual.length, before.hasOffsets else { return nil }
    let identities = (0..<actual.length).compactMap { Keys.identity(actual.item($0)) }
    let places = Dictionary(zip(identities, identities.indices)) { first, _ in first }
    var parts: [Place] = []
    for index in 0..<before.length {
      let element = before.item(index)
      let identity = identities.count == actual.length ? Keys.identity(element) : nil
      guard let other = identity.map({ places[$0] }) ?? index else { return nil }
      // The closure may have found the element by its `id` or by its index.
      for other in Set([other, index]) {
        parts.append(place.part(element, nil, actual.item(other)))
      }
    }
    return parts
  }
}

extension FixedWidthInteger {
  /// Whether a number that changed to `wanted` may change by as much again.
  ///
  /// It must not overflow, as an unsigned number does below zero. The closure may have added,
  /// subtracted or multiplied.
  fileprivate func mayChange(to wanted: Any?, again actual: Any) -> Bool {
    guard let actual = actual as? Self else { return false }
    guard let wanted = wanted as? Self, wanted != self else { return true }
    if wanted > self, self > 0, wanted % self == 0,
      actual.multipliedReportingOverflow(by: wanted / self).overflow
    {
      return false
    }
    let (distance, isFar) =
      wanted > self
      ? wanted.subtractingReportingOverflow(self) : subtractingReportingOverflow(wanted)
    let (_, isOut) =
      wanted > self
      ? actual.addingReportingOverflow(distance) : actual.subtractingReportingOverflow(distance)
    return !isFar && !isOut
  }
}

extension SourceChanges {
  /// Whether a closure that made `wanted` of `before` may also run on `actual`.
  package static func mayRunAgain(
    on actual: Any, after before: Any, wanting wanted: Any
  ) -> Bool {
    SecondRun(on: actual, after: before, wanting: wanted).isSafe
  }
}
