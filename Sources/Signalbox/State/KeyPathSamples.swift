import Foundation

/// Key paths of known shapes, which show whether key paths have the layout that is read.
extension KeyPathComponents {
  /// Whether key paths are read; if not, each part is compared after every commit.
  // CI runs tests that way, with the environment variable.
  static let areReadable =
    ProcessInfo.processInfo.environment["SIGNALBOX_OPAQUE_KEY_PATHS"] == nil && samplesAreAsKnown

  private static var samplesAreAsKnown: Bool {
    let inner = MemoryLayout<Sample>.offset(of: \.inner)
    let object = MemoryLayout<Sample>.offset(of: \.object)
    let list = MemoryLayout<Sample>.offset(of: \.list)
    let maybe = MemoryLayout<Sample>.offset(of: \.maybe)
    let number = MemoryLayout<SampleInner>.offset(of: \.number)
    guard let inner, let object, let list, let maybe, let number else { return false }
    typealias Inner = SampleInner
    let numberStep = (Component.stored(offset: number), Int.self as Any.Type)
    let maybeStep = (Component.stored(offset: maybe), Inner?.self as Any.Type)
    return isRead(\Sample.inner.number, [(.stored(offset: inner), Inner.self), numberStep])
      && isRead(\Sample.maybe!.number, [maybeStep, (.optional(.unwrap), Inner.self), numberStep])
      && isRead(
        \Sample.maybe?.number,
        [maybeStep, (.optional(.chain), Inner.self), numberStep, (.optional(.wrap), Int?.self)])
      && isRead(
        \Sample.object.number,
        [(.stored(offset: object), SampleObject.self), (.reference, Int.self)])
      && isRead(\Sample.computed, [(.computed, Int.self)])
      && isRead(\Sample.converted, [(.converted(index: 4), (() -> Int).self)])
      && hasIndex(\Sample.list[7], 7, after: list) && hasIndex(\Sample.list[9], 9, after: list)
  }

  private static func isRead(
    _ keyPath: AnyKeyPath, _ expected: [(component: Component, type: Any.Type)]
  ) -> Bool {
    let components = readMemory(of: keyPath)
    return components.count == expected.count
      && zip(components, expected).allSatisfy { $0.component == $1.component && $0.type == $1.type }
  }

  private static func hasIndex(_ keyPath: AnyKeyPath, _ index: Int, after offset: Int) -> Bool {
    let components = readMemory(of: keyPath)
    guard components.count == 2, components[0].component == .stored(offset: offset),
      case .subscript(_, let argument) = components[1].component
    else { return false }
    return argument == index && components[1].type == Int.self
  }
}

private struct Sample {
  var first: Int8
  var inner: SampleInner
  var maybe: SampleInner?
  var list: [Int]
  var converted: () -> Int
  var object: SampleObject
  var computed: Int {
    get { inner.number }
    set { inner.number = newValue }
  }
}

private struct SampleInner {
  var flag: Bool
  var number: Int
}

private final class SampleObject { var number = 0 }
