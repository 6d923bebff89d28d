/// The first line of a recording.
package struct TraceHeader: Sendable, Equatable {
  package static let version = 1
  private static let format = "signalbox-trace"
  /// The bytes that each recording begins with.
  static var beginning: [UInt8] { Array("{\"format\":\"\(format)\"".utf8) }

  package var version: Int
  /// When the recording was started, in UTC, as in `2026-11-23T10:50:00Z`.
  package var started: String
  package var program: String
  package var process: Int
  /// Unique, but kept by the newer half of a file; empty in a file of an earlier version.
  package var id: String

  package init(started: String, program: String, process: Int) {
    version = Self.version
    self.started = started
    self.program = program
    self.process = process
    id = String(UInt64.random(in: .min ... .max), radix: 16)
  }

  package var line: String { String(decoding: bytes, as: UTF8.self) }

  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("format", Self.format)
      $0.member("version", version)
      $0.member("started", started)
      $0.member("program", program)
      $0.member("process", process)
      $0.member("id", id)
    }
    writer.endLine()
    return writer.bytes
  }

  init(line: some Collection<UInt8>) throws(TraceError) {
    guard let json = JSONValue(line), json["format"]?.string == Self.format,
      let version = json["version"]?.int
    else { throw .noRecording }
    guard version <= Self.version else { throw .newer(version) }
    self.version = version
    started = json["started"]?.string ?? ""
    program = json["program"]?.string ?? ""
    process = json["process"]?.int ?? 0
    id = json["id"]?.string ?? ""
  }
}

/// Why a recording cannot be read.
package enum TraceError: Error, Equatable, CustomStringConvertible {
  case empty
  case noRecording
  case newer(Int)

  package var description: String {
    switch self {
    case .empty:
      """
      The file has no whole first line. If a program has just begun to record into it, read it \
      again in a moment.
      """
    case .noRecording:
      """
      The file is not a recording: its first line does not begin with {"format":"signalbox-trace", \
      as the files of Recording.start(to:) do.
      """
    case .newer(let version):
      """
      The recording has version \(version) of the format, and this program reads version \
      \(TraceHeader.version). Use the signalbox-trace of the library that recorded it.
      """
    }
  }
}
