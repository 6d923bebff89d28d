/// An endpoint of an exploration, of any request and response.
@MainActor protocol ExploredEndpoint {
  var id: ObjectIdentifier { get }
  var pendingCalls: [PendingCall] { get }
  var faults: [Fault] { get }
  /// Ends the calls that are still pending when the order is over.
  func cancelCalls()
}

extension ExploredEndpoint {
  var faults: [Fault] { [] }
}

extension TestEndpoint {
  @MainActor func cancelCalls() {
    for call in calls { resume(call.number, with: .failure(CancellationError())) }
  }
}

/// A pending call of an explored endpoint.
@MainActor struct PendingCall {
  let number: Int
  /// The name of the endpoint and the request, as in `search("ab")`.
  let text: @MainActor () -> String
  /// Whether the task of the call was cancelled.
  let isLate: Bool
  /// What an answer is called in a report.
  var verb = "answers"
  let answer: @MainActor () -> Void
  /// `nil` if the call cannot fail.
  let fail: (@MainActor () -> Void)?

  func label(_ verb: String) -> String { "\(text()) \(verb)\(isLate ? ", late" : "")" }
}

/// A test endpoint whose calls are answered when the exploration chooses them.
@MainActor struct AnsweringEndpoint<Request: Sendable, Response: Sendable>: ExploredEndpoint {
  let endpoint: TestEndpoint<Request, Response>
  let failure: (any Error)?
  let answer: @MainActor (Request) throws -> Response
  /// Receives what happens to a call, as in `answers`.
  let note: @MainActor (_ verb: String) -> Void
  /// The text of a call; `nil` for the name of the endpoint and the request.
  var text: (@MainActor (Request) -> String)?
  var verb = "answers"

  var id: ObjectIdentifier { ObjectIdentifier(endpoint) }

  var pendingCalls: [PendingCall] {
    endpoint.calls.map { call in
      PendingCall(
        number: call.number,
        text: {
          text?(call.request) ?? "\(endpoint.name)(\(endpoint.text(call.request)))"
        },
        isLate: call.isCancelled, verb: verb,
        answer: {
          note(verb)
          endpoint.resume(call.number, with: Result { try answer(call.request) })
        },
        fail: failure.map { error in
          { @MainActor in
            note("fails")
            endpoint.resume(call.number, with: .failure(error))
          }
        })
    }
  }

  func cancelCalls() { endpoint.cancelCalls() }
}
