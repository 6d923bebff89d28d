public import Foundation
internal import Signalbox

/// Writes tests of what a recording has.
public enum Trace {
  /// How a test makes what a recording does not know.
  ///
  ///     let surroundings = Trace.Surroundings(
  ///       imports: ["@testable import Heating"],
  ///       setup: ["let sensor = Emitter<Double>()"],
  ///       subject: "hookable: Heating(sensor: sensor.signal)",
  ///       hooks: ["measured": "sensor.send($0)"])
  public struct Surroundings: Sendable {
    /// Lines with the imports of the program.
    public var imports: [String]
    /// Lines that make what the store needs, such as emitters, a `TestClock` named `clock`, and a
    /// `TestEndpoint` for each name of a recorded endpoint.
    public var setup: [String]
    /// The state with which the test begins, as in `Chat()`; `nil` for a literal of the recorded one.
    public var state: String?
    /// The argument that `TestStore` gets after the state, as in `interactor: Chat(search: search)`.
    public var subject: String
    /// How the test makes a hook fire, by the name of the hook.
    ///
    /// `$0` stands for the value. A hook that fires only because another one does has an empty text.
    public var hooks: [String: String]
    /// The types of the interactors of children, by the names of the properties.
    public var children: [String: String]
    /// The properties of the state whose types have initializers of their own, so that they have no
    /// literals.
    public var withoutLiterals: [String]

    /// Makes surroundings.
    ///
    /// - Parameters:
    ///   - imports: see the property.
    ///   - setup: see the property.
    ///   - state: see the property.
    ///   - subject: see the property.
    ///   - hooks: see the property.
    ///   - children: see the property.
    ///   - withoutLiterals: see the property.
    public init(
      imports: [String] = [], setup: [String] = [], state: String? = nil, subject: String,
      hooks: [String: String] = [:], children: [String: String] = [:],
      withoutLiterals: [String] = []
    ) {
      self.imports = imports
      self.setup = setup
      self.state = state
      self.subject = subject
      self.hooks = hooks
      self.children = children
      self.withoutLiterals = withoutLiterals
    }
  }

  /// Writes a Swift test of what happened in a store (R7).
  ///
  ///     let source = try Trace.test(of: url, store: "heating", surroundings)
  ///
  /// The test does what came from outside, in the order of the recording: it sends actions, makes
  /// hooks fire, writes properties, and lets its endpoints answer and its clock advance. After each of
  /// these it expects the changes. What an endpoint answered and how far a clock was advanced is known
  /// if the recording was made with a `TestEndpoint` and a `TestClock`. What cannot be written as Swift
  /// becomes a comment. The test ends where it cannot go on.
  ///
  /// - Parameters:
  ///   - recording: the file of a recording.
  ///   - store: the name of the store, or the type of its state. `nil` for the only store.
  ///   - name: the name of the test function.
  ///   - surroundings: how the test makes what the recording does not know.
  /// - Returns: the source of a file.
  /// - Throws: a `TraceTestError`, or an error of the file system. An error that says that the file is
  ///   no recording has a description for users.
  public static func test(
    of recording: URL, store: String? = nil, named name: String = "recorded",
    _ surroundings: Surroundings
  ) throws -> String {
    let (_, events) = try TraceReader.read(Data(contentsOf: recording, options: .mappedIfSafe))
    var stores: [(number: Int, info: TraceEvent.StoreInfo)] = []
    for event in events {
      guard case .store(let info) = event.kind, let number = event.store else { continue }
      if store == nil || info.name == store || info.state == store { stores.append((number, info)) }
    }
    guard let first = stores.first, store != nil || stores.count == 1 else {
      throw TraceTestError.noStore(store, candidates: stores.map { $0.info.name ?? $0.info.state })
    }
    var writer = TestWriter(surroundings, store: first.number, info: first.info, name: name)
    for event in events { try writer.add(event) }
    return try writer.source()
  }
}

/// Why no test can be written of a recording.
public enum TraceTestError: Error, Equatable, CustomStringConvertible {
  /// There is no store of that name, or there are several and none was named.
  case noStore(String?, candidates: [String])
  /// The recorded state has no literal, and no other one was given.
  case noState(String)

  /// What is wrong and what to do about it.
  public var description: String {
    switch self {
    case .noStore(let name?, _): "The recording has no store \(name)."
    case .noStore(nil, let candidates):
      candidates.isEmpty
        ? "The recording has no store."
        : "The recording has several stores. Name one of them: \(candidates.joined(separator: ", "))."
    case .noState(let type):
      """
      The recorded \(type) cannot be written as a Swift literal. Pass the expression of the state \
      with which the store was made, as in Trace.Surroundings(state: "\(type)()", …).
      """
    }
  }
}
