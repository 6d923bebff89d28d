import Foundation
import Signalbox

/// A file that a note names, on a screen of its own.
// Not Attachment, which is a type of Testing.
struct AttachedFile: Equatable, Identifiable, Sendable {
  struct ID: Hashable, Sendable {
    let note: Note.ID
    /// Which of the files of the note it is, beginning with 1.
    let number: Int
  }

  let id: ID
  var text: String?
  var isLoading = false
  /// Why there is no text.
  var problem: String?
}

enum AttachmentError: Error, CustomStringConvertible {
  case missing, unreadable

  var description: String {
    switch self {
    case .missing: "The note has no such file."
    case .unreadable: "The file cannot be read."
    }
  }
}

enum AttachmentAction: CancellableAction {
  case load

  var cancelIdentifier: String? { "load" }
  /// A script waits for what the screen has begun.
  var overlap: Overlap { .join }
}

enum AttachmentHook: CaseIterable { case shown }

/// Loads a file as soon as its screen is shown.
struct AttachmentFeature: Interactor {
  let load: @MainActor (AttachedFile.ID) async throws -> String

  func onAction(
    _ action: AttachmentAction, store: MutatingStore<AttachedFile, AttachmentAction>
  ) async throws {
    store.mark(\.isLoading)
    store.text = try await load(store.id)
  }

  func onError(
    _ error: any Error, action: AttachmentAction,
    store: MutatingStore<AttachedFile, AttachmentAction>
  ) {
    store.problem = "\(error)"
  }

  func subscription(
    for hook: AttachmentHook, store: MutatingStore<AttachedFile, AttachmentAction>
  ) -> Subscription {
    switch hook {
    case .shown: Signal.just(.load).assign(toAction: \.self, using: store)
    }
  }
}

extension Note {
  /// The files that the text names, as in `file:///tmp/list.txt`.
  var files: [URL] {
    text.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("file:") }
      .compactMap { URL(string: String($0)) }
  }
}
