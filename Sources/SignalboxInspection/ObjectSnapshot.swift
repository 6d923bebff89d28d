import Signalbox

/// Keeps the stored properties of the objects in a value, to find out whether one has changed.
///
/// A copy of a value has the same objects, so a closure that changes the copy may change them.
package struct ObjectSnapshot {
  private struct Entry {
    let object: AnyObject
    let properties: [Any]
  }

  private var entries: [Entry] = []
  private static let most = 100_000

  /// Returns `nil` if there are no objects among the first 100,000 parts.
  package init?(of value: Any) {
    var met: Set<ObjectIdentifier> = []
    var work = [value]
    var left = Self.most
    while let value = work.popLast(), left > 0 {
      left -= 1
      guard let core = OptionalUnwrapping.core(of: value), !Self.isSimple(type(of: core)) else {
        continue
      }
      if let list = core as? any AnyList {
        if list.length == 0 || Self.isSimple(type(of: list.item(0))) { continue }
        work += (0..<min(list.length, left)).map { list.item($0) }
      } else if type(of: core) is AnyClass {
        // The contents of an actor must not be read here.
        guard !(core is any Actor), met.insert(ObjectIdentifier(core as AnyObject)).inserted else {
          continue
        }
        let properties = Self.properties(of: core)
        entries.append(Entry(object: core as AnyObject, properties: properties))
        work += properties
      } else if !Dump.isWhole(core) {
        work += Mirror(reflecting: core).children.map(\.value)
      }
    }
    if entries.isEmpty { return nil }
  }

  package var changedType: String? {
    let equality = DeepEquality()
    return entries.first { entry in
      let now = Self.properties(of: entry.object)
      return zip(entry.properties, now).contains { !Self.areSame($0, $1, equality) }
    }.map { "\(type(of: $0.object))" }
  }

  /// Compares an object by identity, because its own properties are compared, too.
  private static func areSame(_ old: Any, _ new: Any, _ equality: DeepEquality) -> Bool {
    if let old = OptionalUnwrapping.core(of: old), let new = OptionalUnwrapping.core(of: new),
      let pair = ObjectPair(old, new)
    {
      return pair.old == pair.new
    }
    return equality.areSame(old, new)
  }

  private static func properties(of object: Any) -> [Any] {
    Mirror(reflecting: object).levels.flatMap { $0.children.map(\.value) }
  }

  /// Whether values of a type contain no objects, because copying them only copies their bytes.
  private static func isSimple(_ type: Any.Type) -> Bool {
    func open<T>(_: T.Type) -> Bool { isTrivial(T.self) || T.self == String.self }
    return _openExistential(type, do: open)
  }
}
