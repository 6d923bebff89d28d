#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
import Foundation
import Signalbox

extension NotificationCenter {
  // Controls post on the main actor.
  @MainActor func onNotification(
    _ name: Notification.Name, from control: AnyObject, _ body: @escaping @MainActor () -> Void
  ) -> Signalbox.Subscription {
    let observer = addObserver(forName: name, object: control, queue: nil) { _ in
      MainActor.assumeIsolated { body() }
    }
    return Signalbox.Subscription { self.removeObserver(observer) }
  }
}
#endif
