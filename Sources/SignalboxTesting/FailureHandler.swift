/// Receives failures instead of the test framework.
///
/// It is a class because, in an optimised build with Swift 6.3, setting a task-local value whose type
/// is a function type crashes.
@MainActor package final class FailureHandler {
  let handle: @MainActor (String, CallSite) -> Void

  package init(_ handle: @escaping @MainActor (String, CallSite) -> Void) { self.handle = handle }
}
