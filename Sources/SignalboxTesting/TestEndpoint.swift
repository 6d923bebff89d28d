import Signalbox
import SignalboxInspection
import SignalboxTrace

/// A dependency whose answers the test gives.
///
///     let search = TestEndpoint<String, [String]>("search")
///     let store = TestStore(state: Chat(), interactor: ChatInteractor(search: { try await search($0) }))
///     store.send(.search("a"))
///     store.send(.search("ab"))
///     await search.reply(to: "ab", with: ["found ab"])
///     store.expect { $0.found = ["found ab"] }
///
/// A call waits at the endpoint as it would wait on a test clock: `settle()` does not wait for it,
/// and failures list it with the name of the endpoint and the request (T10). Calls may come from any
/// task. Each method that answers returns when the stores of the test have settled.
public final class TestEndpoint<Request: Sendable, Response: Sendable>: Sendable {
  /// A call that has not been answered.
  struct Call {
    /// Grows from call to call, across all endpoints.
    let number: Int
    let request: Request
    /// The work that made the call, if it belongs to a test store.
    let work: Piece?
    /// Whether the task of the call was cancelled, and the endpoint does not heed it.
    var isCancelled = false
  }

  /// The name of the endpoint in failures.
  public let name: String
  /// Whether a call throws `CancellationError` as soon as its task is cancelled.
  public let heedsCancellation: Bool
  /// Sorted by number.
  private let held = LockedValue<[Call]>([])
  private let tasks = WaitingTasks<Response>()
  /// The test that made the endpoint, for calls from tasks that do not belong to a test.
  private let home = ExploredScope.current?.test ?? .inSwiftTesting

  /// Makes an endpoint without calls.
  ///
  /// - Parameters:
  ///   - name: the name of the endpoint in failures.
  ///   - heedsCancellation: whether a call throws `CancellationError` as soon as its task is
  ///     cancelled. With `false`, a cancelled call stays pending, and its late answer arrives late.
  public init(_ name: String = "endpoint", heedsCancellation: Bool = true) {
    self.name = name
    self.heedsCancellation = heedsCancellation
  }

  // MARK: - Calls

  /// Waits for the answer of the test.
  ///
  /// - Throws: the error that the test answers with, or `CancellationError` if the task is cancelled
  ///   and the endpoint heeds that.
  nonisolated(nonsending) public func callAsFunction(_ request: Request) async throws -> Response {
    // Added before its task can leave the caller's executor, which keeps the order of callers.
    let number = held.withLock { calls in
      let number = Piece.nextNumber()
      calls.append(Call(number: number, request: request, work: .current))
      return number
    }
    let wait = Piece.Wait.endpoint(
      ObjectIdentifier(self), name: name, request: { [self] in text(request) })
    return try await tasks.wait(number, for: wait) { cancel(number) }
  }

  private func cancel(_ number: Int) {
    if heedsCancellation {
      resume(number, with: .failure(CancellationError()))
    } else {
      held.withLock { calls in
        if let index = Self.index(of: number, in: calls) { calls[index].isCancelled = true }
      }
    }
  }

  private static func index(of number: Int, in calls: [Call]) -> Int? {
    let index = calls.sortedIndex { $0.number < number }
    return index < calls.count && calls[index].number == number ? index : nil
  }

  // MARK: - Answers

  /// The requests that wait for an answer, in the order of arrival.
  @MainActor public var pending: [Request] { calls.map(\.request) }

  /// Waits until a call is pending, and leaves it pending.
  ///
  /// - `timeout`: how long to wait, in real time, while nothing happens.
  /// - Returns: the oldest pending request; `nil`, after a failure, if no call came.
  @discardableResult
  @MainActor public func next(
    timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Request? {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = scope
    tasks.report(to: scope.activity)
    let end = await Patience(timeout, in: scope).wait { !pending.isEmpty }
    if end == .elapsed || end == .restless {
      let reason = scope.idleness ?? "waited \(timeout)"
      site.fail("\(name): \(reason), and no call came.", in: scope.test)
    }
    return pending.first
  }

  /// Answers the oldest pending call.
  ///
  /// Returns when the stores of the test have settled. It is a failure if no call is pending.
  ///
  /// - `response`: what the call returns.
  /// - `timeout`: how long to wait, in real time, until the stores have settled.
  @MainActor public func reply(
    with response: Response, timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await answer(.success(response), "reply(with:)", timeout, at: site) { _ in true }
  }

  /// Answers the oldest pending call that has a given request, as `reply(with:)` does.
  @MainActor public func reply(
    to request: Request, with response: Response, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async where Request: Equatable {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await answer(.success(response), "reply(to: \(text(request)))", timeout, at: site) {
      $0 == request
    }
  }

  /// Answers the oldest pending call with an error that it throws, as `reply(with:)` does.
  @MainActor public func fail(
    with error: any Error, timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await answer(.failure(error), "fail(with:)", timeout, at: site) { _ in true }
  }

  /// Answers the oldest pending call that has a given request with an error that it throws.
  @MainActor public func fail(
    _ request: Request, with error: any Error, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async where Request: Equatable {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await answer(.failure(error), "fail(\(text(request)))", timeout, at: site) { $0 == request }
  }

  // A call that a store has just made may be on its way, so the stores settle if none matches.
  @MainActor private func answer(
    _ result: Result<Response, any Error>, _ subject: String, _ timeout: Duration,
    at site: CallSite, _ isMeant: (Request) -> Bool
  ) async {
    let scope = scope
    scope.willCall(from: site)
    // The requests are compared outside of the lock, because `==` is the user's.
    func meant() -> Call? { calls.first { isMeant($0.request) } }
    var call = meant()
    if call == nil {
      guard await scope.settle(timeout, "\(name): \(subject)", at: site) else { return }
      call = meant()
    }
    if let call {
      TestInput.note(
        .answered(
          endpoint: name, call: call.number, request: call.request, with: result.map { $0 }),
        of: scope.stores(of: call.work).map(\.eventNumbers))
    }
    guard let call, resume(call.number, with: result) else {
      let others = pending.map(text)
      let remark = others.isEmpty ? "no call is pending" : "these are pending: \(listed(others))"
      let sentences =
        ["\(name): \(subject): \(remark)."] + scope.remarks + [scope.advice].compactMap { $0 }
      return site.fail(sentences.joined(separator: " "), in: scope.test)
    }
    _ = await scope.settle(timeout, with: call.work, "\(name): \(subject)", at: site)
  }

  var calls: [Call] { held.withLock { $0 } }

  /// Answers a call, and returns whether it was pending.
  @discardableResult
  func resume(_ number: Int, with answer: Result<Response, any Error>) -> Bool {
    let call = held.withLock { calls in
      Self.index(of: number, in: calls).map { calls.remove(at: $0) }
    }
    if call != nil { tasks.resume(number, with: answer) }
    return call != nil
  }

  func text(_ value: Any) -> String { SourceFormatter.text(of: value) }

  @MainActor private var scope: TestScope { .current(for: home) }
}
