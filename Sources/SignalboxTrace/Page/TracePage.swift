package import Foundation
internal import SignalboxInspection

/// The page of a recording: one HTML file, without network access (R6).
///
///     Page.html ┬─ Page.css
///               ├─ the name and the lines of the recording
///               └─ Elements.js, Values.js, …
///
/// The parts are in the code, because a bundle of resources gets lost when an executable is moved.
package enum TracePage {
  package static func write(of recording: URL, to html: URL) throws {
    try check(html, isNot: recording)
    let lines = try wholeLines(of: bytes(ofRecording: recording))
    try writePrivately(page(of: lines, named: recording.lastPathComponent), to: html)
  }

  package static func check(_ target: URL, isNot recording: URL) throws(RecordingInPlace) {
    let paths = [target, recording].map { $0.resolvingSymlinksInPath().standardizedFileURL.path }
    if paths[0] == paths[1] { throw RecordingInPlace(url: target) }
  }

  package static func page(of lines: Data, named name: String) -> Data {
    var page = Data()
    page.reserveCapacity(lines.count + 64 << 10)
    var rest = text(PackageResources.Page_html)[...]
    for (place, part) in [
      (#"/* Page.css */"#, Data(PackageResources.Page_css)),
      (#""NAME""#, Data(ValueTree.string(name).json.utf8)),
      ("RECORDING", escaped(lines)),
      ("/* Page.js */", script),
    ] {
      guard let range = rest.range(of: place) else { fatalError("Page.html has no \(place).") }
      page.append(contentsOf: rest[..<range.lowerBound].utf8)
      page.append(part)
      rest = rest[range.upperBound...]
    }
    page.append(contentsOf: rest.utf8)
    return page
  }

  private static var script: Data {
    let parts = [
      PackageResources.Elements_js, PackageResources.Lines_js, PackageResources.Values_js,
      PackageResources.Changes_js, PackageResources.Events_js, PackageResources.Recording_js,
      PackageResources.Tree_js, PackageResources.Lanes_js, PackageResources.TimeLine_js,
      PackageResources.Difference_js,
      PackageResources.History_js, PackageResources.State_js, PackageResources.Details_js,
      PackageResources.Filters_js, PackageResources.Search_js, PackageResources.Page_js,
    ]
    return Data(parts.joined(separator: [UInt8(ascii: "\n")]))
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The lines without the rest of one that was cut.
  private static func wholeLines(of bytes: Data) throws(TraceError) -> Data {
    let line = UInt8(ascii: "\n")
    guard let first = bytes.firstIndex(of: line), let last = bytes.lastIndex(of: line) else {
      throw .empty
    }
    _ = try TraceHeader(line: bytes[..<first])
    return bytes[...last]
  }

  /// JSON whose texts have no `<`, so no `</script>` or `<!--` ends or changes its script.
  private static func escaped(_ json: Data) -> Data {
    guard json.contains(UInt8(ascii: "<")) else { return json }
    let parts = json.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
    return Data(parts.joined(separator: #"\u003c"#.utf8))
  }
}

/// The error of a page or another form of a recording that would take the place of the recording.
package struct RecordingInPlace: Error, CustomStringConvertible {
  let url: URL

  package var description: String {
    "\(url.lastPathComponent) is the recording itself. Choose another file."
  }
}
