import Testing

/// Records the issues of a body as known issues, and returns them.
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
