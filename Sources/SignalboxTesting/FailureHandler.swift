/// Receives failures instead of the test framework; a class, because setting a task-local value of
/// a function type crashes in an optimised build with Swift 6.3.
@MainActor package final class FailureHandler {
  let handle: @MainActor (String, CallSite) -> Void

  package init(_ handle: @escaping @MainActor (String, CallSite) -> Void) { self.handle = handle }
}
