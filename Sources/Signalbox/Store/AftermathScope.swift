/// The scope of `onCancel` and of removed marks, because a cancel detaches that of the work.
final class AftermathScope<State, Action>: Scope<State, Action> {
  private let action: Action?
  private let describe: () -> String

  init(
    of work: Scope<State, Action>, cause: Int?, _ describe: @escaping () -> String
  ) {
    action = work.origin
    self.describe = describe
    super.init(in: work.engine)
    self.cause = cause
    began = work.began
  }

  override var origin: Action? { action }
  override var writerName: String { describe() }
  override var callsParents: Bool { true }
}
