/// A connection of an exploration, in the place of a socket.
///
///     let feed = world.connection("feed") { number in [17.5, 18] }
///     let prices = Reconnecting(clock: world.clock, seed: 1) { try await feed() }
///
/// A call opens a connection. Its stream ends when the connection is lost. One connection may be open
/// while values of an earlier one still arrive (I11).
@MainActor public final class TestConnection<Value: Sendable> {
  /// The name of the connection in reports.
  public let name: String

  private let opens: TestEndpoint<Int, Void>
  private let reads: TestEndpoint<Int, Value?>
  private let values: @MainActor (Int) -> [Value]
  private var last = 0
  /// What each connection has not delivered yet; `nil` if it was not opened or is lost.
  private var undelivered: [Int: [Value]] = [:]

  struct Refusal: Error, CustomStringConvertible {
    let description = "The connection was refused."
  }

  init(_ name: String, _ values: @escaping @MainActor (Int) -> [Value]) {
    self.name = name
    self.values = values
    opens = TestEndpoint(name)
    reads = TestEndpoint(name, heedsCancellation: false)
  }

  /// Opens a connection.
  ///
  /// - Throws: an error if the exploration refuses it, or if the task is cancelled.
  public func callAsFunction() async throws -> AsyncStream<Value> {
    last += 1
    let number = last
    try await opens(number)
    return AsyncStream(unfolding: { [reads] in (try? await reads(number)) ?? nil })
  }

  /// Lets the newest connection deliver one more value, if it is open.
  public func send(_ value: Value) { undelivered[last]?.append(value) }
}

extension TestConnection: ExploredEndpoint {
  var id: ObjectIdentifier { ObjectIdentifier(reads) }

  /// The endpoint at which the calls wait.
  var opening: any ExploredEndpoint {
    AnsweringEndpoint(
      endpoint: opens, failure: nil, answer: { self.undelivered[$0] = self.values($0) },
      note: { _ in },
      text: { "\(self.name): connection \($0)" }, verb: "opens")
  }

  /// A reader that has nothing to read is not pending, because a connection may be silent.
  var pendingCalls: [PendingCall] {
    reads.calls.compactMap { call in
      if call.isCancelled {
        return PendingCall(
          number: call.number, text: { "\(self.name): connection \(call.request)" }, isLate: false,
          verb: "closes", answer: { self.loses(call) }, fail: nil)
      }
      guard let value = undelivered[call.request]?.first else { return nil }
      return PendingCall(
        number: call.number, text: { "\(self.name): \(self.reads.text(value))" }, isLate: false,
        verb: "arrives", answer: { self.delivers(to: call) }, fail: nil)
    }
  }

  var faults: [Fault] {
    let refusals = opens.calls.map { call in
      Fault(
        label: "\(name): connection \(call.request) is refused",
        perform: { self.opens.resume(call.number, with: .failure(Refusal())) })
    }
    return refusals
      + reads.calls.compactMap { call in
        let number = call.request
        if !call.isCancelled {
          return Fault(
            label: "\(name): connection \(number) is lost", perform: { self.loses(call) })
        }
        guard let value = undelivered[number]?.first else { return nil }
        return Fault(
          label: "\(name): \(reads.text(value)) arrives late from connection \(number)",
          perform: { self.delivers(to: call) })
      }
  }

  func cancelCalls() { reads.cancelCalls() }

  private func loses(_ call: TestEndpoint<Int, Value?>.Call) {
    undelivered[call.request] = nil
    reads.resume(call.number, with: .success(nil))
  }

  private func delivers(to call: TestEndpoint<Int, Value?>.Call) {
    let value = undelivered[call.request]?.removeFirst()
    reads.resume(call.number, with: .success(value))
  }
}
