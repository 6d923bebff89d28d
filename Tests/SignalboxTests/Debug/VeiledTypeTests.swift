import Foundation
import Signalbox
import SignalboxInspection
import Testing

/// Tests types whose mirrors show no children, so that only their descriptions could be shown.
@MainActor struct VeiledTypeTests {
  private struct Token: Equatable, CustomReflectable, CustomStringConvertible {
    @Redacted var secret = "s3cret"
    var customMirror: Mirror { Mirror(self, children: [:]) }
    var description: String { "token \(secret)" }
  }

  private struct Deep: CustomReflectable, CustomDebugStringConvertible {
    struct Inner { var tokens: [String: Kind] = ["a": .full(1, Redacted(wrappedValue: "s3cret"))] }
    enum Kind {
      case empty
      case full(Int, Redacted<String>)
    }
    var pair: (Int, Inner?) = (1, Inner())
    var customMirror: Mirror { Mirror(self, children: []) }
    var debugDescription: String { "s3cret" }
  }

  private struct Generic<Value>: CustomReflectable, CustomStringConvertible {
    var value: Value
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
    var description: String { "generic \(value)" }
  }

  private enum Shown: CustomReflectable, CustomStringConvertible {
    case some(Redacted<String>)
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
    var description: String { if case .some(let text) = self { text.wrappedValue } else { "" } }
  }

  private final class Object: CustomReflectable, CustomStringConvertible {
    @Redacted var secret = "s3cret"
    var customMirror: Mirror { Mirror(self, children: []) }
    var description: String { secret }
  }

  private struct Around: CustomStringConvertible {
    var inner: Any
    var description: String { "around \(inner)" }
  }

  @Test("D6 a type that shows no children has no description if something in it is redacted")
  func hidden() throws {
    let values: [Any] = [
      Token(), Deep(), Generic(value: Token().secret as Any),
      Generic(value: [Redacted(wrappedValue: "s3cret")]),
      Shown.some(Redacted(wrappedValue: "s3cret")), Object(), Generic(value: Optional(Object())),
    ]
    for value in values {
      expectHidden([
        Dump.string(of: value), Dump.description(of: value), Dump.string(of: [value]),
        Dump.description(of: Around(inner: value)), Dump.string(of: (value, 1)),
        SourceFormatter.text(of: value),
      ])
    }
    let diff = try #require(Diff(from: [Token()], to: [Token(secret: "s3cret-2")]))
    expectHidden([diff.description])
  }

  @Test("D6 a type that shows no children and has nothing redacted is described by its own text")
  func shown() throws {
    for value in [Generic(value: "a") as Any, Generic(value: ["a": [1.5]]), Generic(value: UUID())]
    {
      #expect(Dump.string(of: value) == "\(value)")
      #expect(Dump.description(of: value) == "\(value)")
    }
    #expect(Dump.string(of: Generic(value: { 1 })).hasPrefix("generic"))
    #expect(Dump.string(of: Generic(value: Tree())) == "generic \(Tree())")
    let diff = try #require(Diff(from: Generic(value: 1), to: Generic(value: 2)))
    #expect(diff.description.contains("generic 2"))
  }

  /// A type that contains itself.
  private struct Tree { var children: [Tree] = [] }

  @Test("D6 values without == and visible children are compared by what they store")
  func compared() {
    #expect(Diff(from: Deep(), to: Deep()) == nil)
    struct Half: CustomReflectable, CustomStringConvertible {
      @Redacted var secret = "s3cret"
      var customMirror: Mirror { Mirror(self, children: []) }
      var description: String { secret }
    }
    #expect(Diff(from: Half(), to: Half()) == nil)
    #expect(
      Diff(from: Half(), to: Half(secret: "s3cret-2")).map { "\($0)".contains("s3cret") } == false)
  }

  @Test("D6 a property that the program names is hidden in a type that shows no children")
  func named() {
    struct Key: CustomReflectable, CustomStringConvertible {
      var inner = Inner()
      struct Inner { var code = "s3cret" }
      var customMirror: Mirror { Mirror(self, children: []) }
      var description: String { "key \(inner.code)" }
    }
    #expect(Dump.string(of: Key()) == "key s3cret")
    DebugStore.redact(\Key.Inner.code)
    expectHidden([Dump.string(of: Key()), Dump.description(of: Around(inner: Key()))])
  }
}
