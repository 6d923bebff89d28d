import ExampleTesting
import Foundation
import Signalbox
import SignalboxInspection
import Terminal
import Testing

@testable import SignalboxTrace

/// `signalbox-trace` as users run it.
@Suite("R8 signalbox-trace", .timeLimit(.minutes(60)))
struct EndToEndTests {
  private let folder: TemporaryFolder
  private let recording: URL

  init() throws {
    folder = try TemporaryFolder()
    recording = folder.url.appending(path: "run.jsonl")
  }

  @Test("R8 prints the tree of causes")
  func prints() async throws {
    try write(HeatedRoom.text + #"{"kind":"changed","store":1,"#)
    let (output, code) = try await run(recording.path, "--hook=entered")
    #expect(code == 0)
    #expect(
      output == """
           1.600  hook entered: "ann"
           1.600    people + [0] Person(id: 3, name: "ann")

        """)
  }

  @Test("R8 help is printed")
  func help() async throws {
    let (output, code) = try await run("--help")
    #expect(code == 0 && output.hasPrefix("usage: signalbox-trace RECORDING"))
  }

  @Test("R8 what cannot be used is refused with a sentence and exit code 2")
  func refused() async throws {
    try write("hello\n")
    let newer = folder.path + "/newer"
    try #"{"format":"signalbox-trace","version":2}"#.appending("\n")
      .write(toFile: newer, atomically: true, encoding: .utf8)
    let empty = folder.path + "/empty"
    try "".write(toFile: empty, atomically: true, encoding: .utf8)
    for (words, sentence) in [
      (["--nonsense"], "There is no option --nonsense."),
      ([folder.path + "/none\u{1B}"], #"/none\u{1B} does not exist."#),
      ([folder.path], "cannot be used."),
      ([recording.path], "The file is not a recording"),
      ([recording.path, "--follow"], "The file is not a recording"),
      ([folder.path, "--follow"], "is not a regular file."),
      (["/dev/null", "--follow"], "is not a regular file."),
      ([newer], "version 2 of the format"),
      ([empty], "The file has no whole first line."),
      ([recording.path, "--page", recording.path], "is the recording itself."),
      ([recording.path, "--chrome", recording.path], "is the recording itself."),
      ([recording.path, "--chrome", folder.path + "/c"], "The file is not a recording"),
    ] {
      let tool = try Program.betweenPipes("signalbox-trace", words)
      await tool.complains(sentence)
      #expect(await tool.exitCode() == 2, "\(words)")
      #expect(await tool.output.end(), "\(words)")
      #expect(tool.output.text.isEmpty, "\(words)")
    }
  }

  @Test("R8 a page that cannot be written is reported")
  func unwritable() async throws {
    try write(HeatedRoom.text)
    let tool = try Program.betweenPipes(
      "signalbox-trace", [recording.path, "--page", folder.path + "/none/run.html"])
    await tool.complains(
      "cannot be written: No such file or directory. Choose another file, in a folder that")
    #expect(await tool.exitCode() == 2)
  }

  @Test("R8 a reader that has enough, such as head, ends it quietly")
  func closedPipe() async throws {
    let events = (1...50_000).map {
      TraceEvent(store: 1, id: $0, time: 1, kind: .hookFired(name: "tick", .integer($0)))
    }
    try write(HeatedRoom.text(of: events))
    let tool = Program.url(of: "signalbox-trace").path
    let script = #"{ "$0" "$1" 2>&3; echo "code $?" >&3; } 3>"$2" | head -n 1"#
    let log = folder.path + "/log"
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", script, tool, recording.path, log]
    let pipe = Pipe()
    shell.standardOutput = pipe
    try shell.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    shell.waitUntilExit()
    #expect(String(decoding: output, as: UTF8.self) == "   1.000  hook tick: 1\n")
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "code 0\n")
  }

  @Test("R8 a page and a trace for Chrome are written for their owner only")
  func writes() async throws {
    try write(HeatedRoom.text)
    let (page, trace) = (folder.path + "/run.html", folder.path + "/run.json")
    // A file in its place that others may read.
    try Data("old".utf8).write(to: URL(filePath: page))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: page)
    let (output, code) = try await run(recording.path, "--page=\(page)", "--chrome=\(trace)")
    #expect(code == 0 && output.isEmpty)
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.hasPrefix("<!doctype html>") && html.contains(#""name":"measured""#))
    _ = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: trace)))
    for path in [page, trace] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("R8 follows a file that does not exist yet, grows, and is replaced")
  func follows() async throws {
    let tool = try Program.betweenPipes("signalbox-trace", ["--follow", recording.path])
    await tool.complains("Waiting for run.jsonl.")
    let lines = HeatedRoom.events.map(\.line)
    // The second part begins within a line.
    let text = HeatedRoom.header.line + lines[..<5].joined()
    try write(text + lines[5].prefix(20))
    await tool.shows("   1.500      hook cold: true\n")
    let handle = try FileHandle(forWritingTo: recording)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data((lines[5].dropFirst(20) + lines[6...8].joined()).utf8))
    await tool.shows("isHeated false → true  ← .turn(on: true)\n")

    // The file is full, and its newer half takes its place.
    try replace(HeatedRoom.header.line + lines[0] + lines[7...9].joined())
    await tool.shows("finished after 200 ms\n")
    try handle.close()

    // Another run within the same second.
    let first = HeatedRoom.header
    let other = TraceHeader(
      started: first.started, program: first.program, process: first.process)
    try replace(other.line + lines[0...2].joined())
    await tool.shows("-- a new recording of Room\n   0.000  started")
    await tool.shows("hook measured: 17.0\n")
    tool.signal(SIGTERM)
    #expect(await tool.exitCode() == 128 + SIGTERM)
    let all = tool.output.text
    #expect(all.components(separatedBy: "isHeated false → true").count == 2, "\(all)")
    #expect(all.components(separatedBy: "celsius 20.0 → 17.0").count == 2, "\(all)")
  }

  @Test("R8 output that cannot be written is an error")
  func fullOutput() throws {
    try write(HeatedRoom.text)
    let (errors, code) = try shell(#""$0" "$1" >/dev/full"#)
    #expect(code == 2)
    #expect(errors == "Standard output cannot be written: No space left on device.\n")
  }

  @Test(
    "R8 a page that does not fit on the disk leaves the old one as it was",
    arguments: ["page", "chrome"])
  func fullDisk(option: String) throws {
    let more = String(repeating: HeatedRoom.events[2].line, count: 500)
    try write(HeatedRoom.text + more)
    let target = folder.path + "/out"
    try "the old one".write(toFile: target, atomically: true, encoding: .utf8)
    let (errors, code) = try shell(
      #"ulimit -f 16; trap "" XFSZ; exec "$0" "$1" --\#(option) "$2""#, target)
    #expect(code == 2)
    #expect(errors.hasPrefix("\(target) cannot be written: ") && errors.hasSuffix(".\n"))
    #expect(!errors.contains(".."))
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "the old one")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    // A device is written and stays one.
    #expect(try shell(#"exec "$0" "$1" --\#(option) /dev/full"#).code == 2)
    #expect(try shell(#"exec "$0" "$1" --\#(option) /dev/null"#).code == 0)
  }

  @Test("R8 a link to a page stays, and the page that it names is written")
  func link() throws {
    try write(HeatedRoom.text)
    let (page, link) = (folder.path + "/real.html", folder.path + "/link.html")
    try "old".write(toFile: page, atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: page)
    #expect(try shell(#"exec "$0" "$1" --page "$2""#, link).code == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == page)
    #expect(try String(contentsOfFile: page, encoding: .utf8).hasPrefix("<!doctype html>"))
  }

  @Test("R8 a recording is read from standard input, for the tree and for the page")
  func standardInput() throws {
    try write(HeatedRoom.text)
    let page = folder.path + "/run.html"
    for name in ["/dev/stdin", "-"] {
      let (errors, code) = try shell(
        #"cat "$1" | "$0" \#(name) >"$2" && cat "$1" | "$0" \#(name) --page "$3""#,
        folder.path + "/tree", page)
      #expect(code == 0 && errors == "")
      let tree = try String(contentsOfFile: folder.path + "/tree", encoding: .utf8)
      #expect(tree.contains("isHeated false → true"))
      #expect(try String(contentsOfFile: page, encoding: .utf8).hasPrefix("<!doctype html>"))
    }
  }

  @Test("R8 a filter that fits nothing says so and names what would fit")
  func misses() throws {
    try write(HeatedRoom.text)
    for (words, name) in [
      ("--state isheated", "isHeated"), ("--state poeple.nam", "people.name"),
      ("--action trun", "turn"), ("--hook code", "cold"),
    ] {
      let (errors, code) = try shell(#"exec "$0" "$1" \#(words)"#)
      #expect(code == 1, "\(words)")
      #expect(errors.hasPrefix("No event fits \(words). These would: ") && errors.contains(name))
    }
    let (errors, code) = try shell(#"exec "$0" "$1" --since 100"#)
    #expect(code == 1)
    #expect(errors == "Nothing that fits happened from 100.0 s on. The recording ends at 2.2 s.\n")
    // What another option has found is printed.
    #expect(try shell(#"exec "$0" "$1" --hook cold --hook none >/dev/null"#).code == 0)
  }

  @Test("R8 one line that was skipped is one line")
  func oneLine() throws {
    try write(HeatedRoom.text + "nonsense\n")
    let (errors, code) = try shell(#"exec "$0" "$1" >/dev/null"#)
    #expect(code == 0)
    #expect(errors == "1 line was skipped, because this version does not know it.\n")
  }

  /// Runs a script whose `$0` is the command and whose `$1` is the recording.
  private func shell(_ script: String, _ words: String...) throws -> (errors: String, code: Int32) {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments =
      ["-c", script, Program.url(of: "signalbox-trace").path, recording.path] + words
    let errors = Pipe()
    shell.standardError = errors
    try shell.run()
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    shell.waitUntilExit()
    return (String(decoding: text, as: UTF8.self), shell.terminationStatus)
  }

  private func run(_ words: String...) async throws -> (output: String, code: Int32?) {
    let tool = try Program.betweenPipes("signalbox-trace", words)
    let code = await tool.exitCode()
    #expect(await tool.output.end())
    #expect(await tool.errors.end())
    #expect(tool.errors.text == "")
    return (tool.output.text, code)
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: recording)
  }

  private func replace(_ text: String) throws {
    try Data(text.utf8).write(to: recording, options: .atomic)
  }
}
