public import Foundation
public import Signalbox

extension Signal where Value: Sendable {
  /// Makes a signal of what notifications say.
  ///
  ///     Signal.notifications(.NSSystemClockDidChange) { _ in true }
  ///       .assign(toAction: .reload, using: store)
  ///
  /// All subscribers of one signal share an observer, which is removed after the last of them (E4).
  /// The center calls its observers in any order, but the subscribers are notified in order (S1).
  ///
  /// What is posted on the main actor is delivered before `post` returns. Inside a delivery, it waits
  /// its turn (S5). What other threads post is delivered soon, in the order of each thread.
  ///
  /// - Parameters:
  ///   - name: the name of the notifications.
  ///   - object: the object that posts the notifications; `nil` for any. It is kept as long as the
  ///     signal.
  ///   - center: the notification center.
  ///   - transform: takes from a notification what is delivered; `nil` skips the notification. It is
  ///     called on the thread that posts, because notifications are not `Sendable`.
  public static func notifications(
    _ name: Notification.Name, object: AnyObject? = nil, center: NotificationCenter = .default,
    _ transform: @escaping @Sendable (Notification) -> Value?
  ) -> Signal {
    .arrivals { arrivals in
      let observer = center.addObserver(forName: name, object: object, queue: nil) { notification in
        guard let value = transform(notification) else { return }
        if MainQueue.isCurrent {
          MainActor.assumeIsolated { arrivals.send(value) }
        } else {
          arrivals.post(value)
        }
      }
      return { center.removeObserver(observer) }
    }
  }
}
