import ExampleTesting
import Foundation
import RandomPrograms
import Signalbox
import SignalboxSources
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

#if os(Linux)
/// Random programs that write, replace, remove, move and link what is on the path of a watched file.
///
/// Whatever they do, a program that reads the file after each change has its last contents in the end.
///
/// They belong to the other tests of files, which use up the watches of the user for a moment.
extension FileChangesTests {
  private nonisolated static let programs = 50
  private static let names = ["a", "b", "f"]
  private static let destinations = [
    ".", "..", "../..", "a", "b", "f", "../a", "../b", "../f", "../a/b", "../../a", "../../b/a",
    "./b/../f", "/a", "/a/b", "/b/f",
  ]

  @Test(
    "E6 a program that reads the file after each change has the last contents",
    arguments: 0..<programs)
  func lastContents(seed: Int) async throws {
    var random = SeededRandom(seed: UInt64(seed))
    try FileManager.default.createDirectory(atPath: depths, withIntermediateDirectories: true)
    let file = depths + "/a/b/f"
    func contents() -> String? { try? String(contentsOfFile: file, encoding: .utf8) }
    let changes = Signal.changes(ofFile: URL(filePath: file))
    var known: String?
    let subscriptions = [changes.sink { _ in known = contents() }, log.record(changes)]
    for step in 1...60 {
      act("\(step)", &random)
      let now = contents()
      await log.until { _ in known == now }
    }
    // A file that has come or changed is there, until it is removed.
    let isThere = log.entries.map { $0 != .removed }
    for (change, wasThere) in zip(log.entries, [false] + isThere) {
      #expect(change == .created ? !wasThere : wasThere)
    }
    withExtendedLifetime(subscriptions) {}
  }

  /// The folder of the program, so far below its own that no chain of links leads out of it.
  private var depths: String { folder.path + String(repeating: "/d", count: 16) }

  /// Does something to a name on the path or beside it, which may fail.
  private func act(_ text: String, _ random: inout SeededRandom) {
    let (place, beside) = (place(&random), depths + "/new")
    switch random.below(7) {
    case 0: try? FileManager.default.removeItem(atPath: place)
    case 1: _ = unsafe mkdir(place, 0o700)
    case 2: try? URL(filePath: place).write(text)
    case 3:
      try? URL(filePath: beside).write(text)
      _ = unsafe rename(beside, place)
    case 4: _ = unsafe rename(place, self.place(&random))
    default:
      let destination = random.pick(Self.destinations)
      _ = unsafe symlink(
        destination.hasPrefix("/") ? depths + destination : destination, beside)
      _ = unsafe rename(beside, place)
    }
  }

  private func place(_ random: inout SeededRandom) -> String {
    let depth = 1 + random.below(3)
    return depths + random.list(depth) { "/" + $0.pick(Self.names) }.joined()
  }
}
#endif
