/// The state of a `Reconnecting` source, for the state of a store and for a user interface.
public enum ConnectionHealth: Hashable, Sendable {
  /// There is no subscriber, so there is no connection.
  case idle
  /// An attempt to connect is in progress.
  ///
  /// - Parameter attempt: its number. The first one is 1.
  case connecting(attempt: Int)
  /// The connection has been opened.
  case up
  /// The connection has failed or ended, and the next attempt waits for its time.
  ///
  /// - Parameters:
  ///   - attempt: the number of the attempt that has failed, or whose connection has ended.
  ///   - reason: the text of the error, without anything redacted (D4).
  case waiting(attempt: Int, reason: String)
}
