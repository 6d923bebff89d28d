import Foundation
package import Testing

/// Expects that a recording still leads to a committed test.
///
/// The test is in the folder `Generated` beside the file that calls, so it is compiled and runs with
/// the others. `SIGNALBOX_WRITE_GENERATED=1` in the environment writes it again.
///
/// - Parameters:
///   - source: the test that was written of a recording.
///   - name: the name of the file without its extension.
///   - file: the file that calls.
///   - place: the source location of the failure.
/// - Throws: an error of the file system.
package func expectGenerated(
  _ source: String, is name: String, file: String = #filePath,
  sourceLocation place: SourceLocation = #_sourceLocation
) throws {
  let url = URL(filePath: file).deletingLastPathComponent()
    .appending(path: "Generated/\(name).swift")
  if ProcessInfo.processInfo.environment["SIGNALBOX_WRITE_GENERATED"] != nil {
    try Data(source.utf8).write(to: url)
  }
  let known = try String(decoding: Data(contentsOf: url), as: UTF8.self)
  #expect(source == known, sourceLocation: place)
}
