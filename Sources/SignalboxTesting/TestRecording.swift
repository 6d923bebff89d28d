package import Foundation
import Signalbox
import SignalboxTrace
import Testing
import XCTest

/// The recording of a test, which is left with its page if the test fails (R9).
///
///     TestScope ──▶ TestRecording ──▶ ChatTests.search().jsonl, ChatTests.search().html
///
/// When the stores end, it ends, and the recording of a test that has not failed is removed.
@MainActor final class TestRecording {
  private let recording: Recording
  private let file: URL
  private let page: URL
  private var hasFailed = false

  // Tells apart tests of one name, such as the cases of a parameterized test, which share a folder.
  private static var uses: [URL: Int] = [:]

  /// - Parameter site: a call of the test, for a test whose name is not known.
  /// - Returns: `nil` if the environment names no folder, or one that cannot be written, which is
  ///   reported.
  init?(of test: RunningTest, from site: CallSite) {
    guard let folder = RecordingFolder.current else { return nil }
    let name = test.name(calledAt: site)
    let base = folder.appending(path: Self.fileName(for: name))
    let use = Self.uses[base, default: 0] + 1
    Self.uses[base] = use
    let path = use == 1 ? base.path : "\(base.path)-\(use)"
    file = URL(filePath: path + ".jsonl")
    page = URL(filePath: path + ".html")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // The page of an earlier run would say that this test has failed.
      try? FileManager.default.removeItem(at: page)
      recording = try Recording.ofStores(in: file, program: name)
    } catch {
      SystemLog.report("Signalbox: \(name) is not recorded. \(error)")
      return nil
    }
  }

  func add<State, Action>(_ store: Store<State, Action>) { recording.add(store) }

  /// Records a failure, and leaves the page of what has happened until then.
  func testHasFailed(_ text: String) {
    recording.testHasFailed(text)
    // Later failures get into the page when the recording ends.
    if !exchange(&hasFailed, with: true) {
      recording.flush()
      Self.writePage(of: file, to: page)
    }
  }

  private static func writePage(of file: URL, to page: URL) {
    do {
      try Recording.page(of: file, to: page)
    } catch {
      SystemLog.report("Signalbox: there is no page of \(file.path). \(error)")
    }
  }

  private static func fileName(for name: String) -> String {
    let allowed = name.unicodeScalars.map { scalar in
      let isPlain = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      return isPlain || "._()-".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
    }
    // File systems allow 255 bytes, and an ending follows.
    var text = String(allowed)
    while text.utf8.count > 200 { text.removeLast() }
    return text
  }

  // Not an isolated deinit, for the reason that `Store` gives.
  deinit {
    MainQueue.run { [recording, file, page, hasFailed] in
      recording.stop()
      if hasFailed {
        Self.writePage(of: file, to: page)
      } else {
        try? FileManager.default.removeItem(at: file)
      }
    }
  }
}

/// The folder for the recordings of failed tests, in a type that tasks on any executor can read.
package enum RecordingFolder {
  @TaskLocal package static var current: URL? =
    ProcessInfo.processInfo.environment["SIGNALBOX_RECORDINGS"].flatMap {
      $0.isEmpty ? nil : URL(filePath: $0, directoryHint: .isDirectory)
    }
}

extension RunningTest {
  // As in `AppTests.ChatTests.search()`. XCTest names no test that began before the first store.
  @MainActor fileprivate func name(calledAt site: CallSite) -> String {
    switch self {
    case .swiftTesting(let id, _): ([id.moduleName] + id.nameComponents).joined(separator: ".")
    case .xcTest:
      XCTestWatcher.shared.name
        ?? "\(site.fileID)".replacing(".swift", with: "").replacing("/", with: ".")
    }
  }
}
