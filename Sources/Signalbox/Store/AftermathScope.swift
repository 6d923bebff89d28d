/// The scope of `onCancel` and of the removal of marks, after work is over.
///
/// The scope of the work itself cannot do this, because it is detached when the work is cancelled.
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
