import ExampleTesting
import Foundation
import SignalboxTrace
import Terminal
import Testing

/// A headless Chromium, which a test drives over the DevTools protocol.
///
/// The messages are JSON with a zero byte at their end, through pipes at the descriptors 3 and 4.
final class Browser: Sendable {
  /// Chromium, if it is on this machine and the environment asks for it.
  ///
  /// The tests in the browser take more than a third of the time of all tests.
  static let executable: String? = {
    if ProcessInfo.processInfo.environment["SIGNALBOX_PAGE"] == nil { return nil }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  static let isMissing: Comment =
    "This runs with SIGNALBOX_PAGE=1 and Chromium, which `.ci/page browser` installs."

  struct Failure: Error, CustomStringConvertible { let description: String }

  private let process = Process()
  private let messages: Locked<Connection>
  private let folder: TemporaryFolder
  private let session: Locked<String?> = Locked(nil)

  private struct Connection {
    let input: FileHandle
    let output: FileHandle
    var last = 0
    var rest = Data()
  }

  init() throws {
    guard let executable = Self.executable else {
      throw Failure(description: "There is no Chromium. Install it with .ci/page browser.")
    }
    folder = try TemporaryFolder()
    let (input, output) = (Pipe(), Pipe())
    messages = Locked(
      Connection(input: input.fileHandleForWriting, output: output.fileHandleForReading))
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", #"exec "$0" "$@" 3<&0 4>&1 >/dev/null"#, executable, "--headless",
      "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run",
      "--disable-dev-shm-usage", "--user-data-dir=\(folder.path)", "--window-size=1280,800",
    ]
    process.environment = [
      "HOME": folder.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
    ]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForReading.close()
    try output.fileHandleForWriting.close()
    // A browser that hangs must not keep the tests waiting.
    let limit = process
    DispatchQueue.global().asyncAfter(deadline: .now() + 3_000) { limit.terminate() }
  }

  deinit {
    process.terminate()
    // Otherwise it might write into the folder that is removed now.
    process.waitUntilExit()
  }

  /// Opens a page and waits until it is loaded.
  func open(_ url: URL) async throws {
    struct Target: Decodable { let targetId: String }
    struct Session: Decodable { let sessionId: String }
    let target: Target = try await call("Target.createTarget", ["url": "about:blank"])
    let new: Session = try await call(
      "Target.attachToTarget", ["targetId": target.targetId, "flatten": true])
    session.withLock { $0 = new.sessionId }
    let _: Nothing = try await call("Page.enable")
    let _: Nothing = try await call("Page.navigate", ["url": url.absoluteString])
    _ = try await evaluate(
      """
      new Promise((done) => {
        if (document.readyState === "complete") done(""); else onload = () => done("");
      })
      """)
  }

  struct Nothing: Decodable {}

  /// The value of an expression of JavaScript, as a text.
  func evaluate(_ expression: String) async throws -> String {
    struct Answer: Decodable {
      struct Result: Decodable { let value: String? }
      struct Exception: Decodable {
        struct Thrown: Decodable { let description: String? }
        let text: String
        let exception: Thrown?
      }
      let result: Result
      let exceptionDetails: Exception?
    }
    let answer: Answer = try await call(
      "Runtime.evaluate",
      [
        "expression": "Promise.resolve(\(expression)).then(String)", "awaitPromise": true,
        "returnByValue": true,
      ])
    if let thrown = answer.exceptionDetails {
      throw Failure(description: "\(expression): \(thrown.exception?.description ?? thrown.text)")
    }
    return answer.result.value ?? ""
  }

  /// Presses a key, such as `ArrowDown` or `/`.
  func press(_ key: String, shift: Bool = false) async throws {
    let codes = [
      "Enter": 13, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
      "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9, " ": 32,
    ]
    var event: [String: any Sendable] = ["key": key, "modifiers": shift ? 8 : 0]
    if let code = codes[key] {
      event["windowsVirtualKeyCode"] = code
      event["code"] = key
    }
    if key.count == 1 { event["text"] = key }
    if key == "Enter" { event["text"] = "\r" }
    for type in ["keyDown", "keyUp"] {
      event["type"] = type
      let _: Nothing = try await call("Input.dispatchKeyEvent", event)
      event["text"] = nil
    }
  }

  func type(_ text: String) async throws {
    let _: Nothing = try await call("Input.insertText", ["text": text])
  }

  /// Clicks into the middle of an element.
  func click(_ element: String) async throws {
    let (x, y) = try await middle(of: element)
    for type in ["mousePressed", "mouseReleased"] {
      try await mouse(type, x, y)
    }
  }

  /// Presses the button of the mouse in the middle of an element, moves it, and lets go.
  func drag(_ element: String, right: Double) async throws {
    let (x, y) = try await middle(of: element)
    try await mouse("mousePressed", x, y)
    for part in 1...20 { try await mouse("mouseMoved", x + right * Double(part) / 20, y) }
    try await mouse("mouseReleased", x + right, y)
  }

  /// Turns the wheel of the mouse over an element.
  func wheel(_ element: String, down: Double = 0, right: Double = 0) async throws {
    let (x, y) = try await middle(of: element)
    let _: Nothing = try await call(
      "Input.dispatchMouseEvent",
      ["type": "mouseWheel", "x": x, "y": y, "deltaX": right, "deltaY": down])
  }

  private func mouse(_ type: String, _ x: Double, _ y: Double) async throws {
    let _: Nothing = try await call(
      "Input.dispatchMouseEvent",
      [
        "type": type, "x": x, "y": y, "button": "left", "buttons": type == "mouseReleased" ? 0 : 1,
        "clickCount": 1,
      ])
  }

  private func middle(of element: String) async throws -> (Double, Double) {
    let place = try await evaluate(
      """
      (() => {
        const element = \(element);
        element.scrollIntoView({ block: "nearest" });
        const { left, top, width, height } = element.getBoundingClientRect();
        return `${left + width / 2} ${top + height / 2}`;
      })()
      """)
    let numbers = place.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 2 else { throw Failure(description: "\(element) has no place.") }
    return (numbers[0], numbers[1])
  }

  /// Calls a method of the protocol.
  func call<Answer: Decodable & Sendable>(
    _ method: String, _ parameters: [String: any Sendable] = [:]
  ) async throws -> Answer {
    let session = session.withLock { $0 }
    let answer = await onThread { [self] in
      Result { try exchange(method, parameters, session) }
    }
    let json = try answer.get()
    do {
      return try JSONDecoder().decode(Message<Answer>.self, from: json).result
    } catch {
      throw Failure(description: "\(method): \(String(decoding: json.prefix(400), as: UTF8.self))")
    }
  }

  private func exchange(
    _ method: String, _ parameters: [String: any Sendable], _ session: String?
  ) throws -> Data {
    try messages.withLock { connection in
      connection.last += 1
      var message: [String: Any] = [
        "id": connection.last, "method": method, "params": parameters,
      ]
      message["sessionId"] = session
      let json = try JSONSerialization.data(withJSONObject: message)
      try connection.input.write(contentsOf: json + [0])
      struct Header: Decodable { let id: Int? }
      while true {
        if let end = connection.rest.firstIndex(of: 0) {
          let message = Data(connection.rest[..<end])
          connection.rest = Data(connection.rest[(end + 1)...])
          // Messages without the number are events.
          let header = try JSONDecoder().decode(Header.self, from: message)
          if header.id == connection.last { return message }
          continue
        }
        let bytes = connection.output.availableData
        if bytes.isEmpty { throw Failure(description: "\(method): the browser has ended.") }
        connection.rest.append(bytes)
      }
    }
  }
}

private struct Message<Answer: Decodable>: Decodable { let result: Answer }
