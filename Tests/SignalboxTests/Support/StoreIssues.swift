import Testing

/// The issues that a body records, which are known not to be failures of the test.
@MainActor func storeIssues(of body: @MainActor () async -> Void) async -> [Issue] {
  let (stream, continuation) = AsyncStream.makeStream(of: Issue.self)
  await withKnownIssue(isIntermittent: true) {
    await body()
  } matching: {
    continuation.yield($0)
    return true
  }
  continuation.finish()
  var issues: [Issue] = []
  for await issue in stream { issues.append(issue) }
  return issues
}
