public import Foundation
internal import Signalbox

/// Writes tests of what a recording has.
public enum Trace {
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
    var steps = TestSteps(of: first.number, in: events)
    steps.read(surroundings)
    guard let start = steps.start else { throw TraceTestError.noState(first.info.state) }
    var writer = TestWriter(surroundings, optionals: steps.optionals, state: first.info.state)
    return try writer.source(of: steps.all, from: start, inFlight: steps.inFlight, name: name)
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
