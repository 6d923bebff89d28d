import Testing

@testable import Signalbox

extension Trait where Self == ConditionTrait {
  /// For tests of what only the memory of a key path shows, which CI hides from other tests.
  static var readsKeyPaths: Self {
    .enabled(if: KeyPathComponents.areReadable, "All key paths without a range are opaque.")
  }
}
