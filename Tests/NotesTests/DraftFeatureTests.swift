import Signalbox
import SignalboxTesting
import Testing

@testable import Notes

/// Tests the editor alone.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct DraftFeatureTests {
  /// How the editor ended.
  @MainActor private final class Ending {
    var draft: Draft?
    var isDiscarded = false
  }

  private let ending = Ending()

  private func editor(_ draft: Draft) -> TestStore<Draft, DraftAction> {
    let ending = ending
    return TestStore(
      state: draft,
      interactor: DraftFeature(
        onDone: { ending.draft = $0 }, onDiscard: { ending.isDiscarded = true }))
  }

  @Test func `words are counted, also those of a draft that was restored`() async {
    let editor = editor(Draft(text: " buy  milk "))
    #expect(editor.words == 2)
    await editor.hook(DraftHook.typed) {
      editor.text += "and bread"
    } expecting: {
      $0.words = 4
    }
  }

  @Test func `a draft that is done is handed over`() async {
    let editor = editor(Draft(noteID: 3, text: "milk"))
    await editor.dispatch(.done)
    #expect(ending.draft == Draft(noteID: 3, text: "milk", words: 1))
    #expect(!ending.isDiscarded)
  }

  @Test(arguments: ["", "  "])
  func `a draft without words is discarded`(text: String) async {
    await editor(Draft(text: text)).dispatch(.done)
    #expect(ending.draft == nil)
    #expect(ending.isDiscarded)
  }
}
