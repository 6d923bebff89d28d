import Foundation

/// Finds the fields of a JSON object as ranges of bytes, with the liberties that people take.
///
/// Values are decoded from these bytes, and unknown fields copied, so no number changes on the way.
/// The time is proportional to the bytes, however deep they are nested. What is within an array is
/// checked only when it is decoded.
struct JSONScanner {
  /// The bytes, with a zero after the last.
  private let bytes: [UInt8]
  private var position = 0
  /// For each object that is not closed yet, the number of names before its own; `nil` for an array.
  private var open: [Int?] = []
  private var depth = 0
  /// The names in these objects, those of the innermost one last.
  private var names: [(hash: Int, text: String)] = []
  /// The values of the outermost object.
  private var fields: [String: Range<Int>] = [:]
  /// The field of the outermost object whose value is being scanned.
  private var current = (name: "", start: 0)

  /// - Throws: `Mistake` if there is no object, or a name occurs twice in one.
  static func fields(of json: Data) throws(Mistake) -> [String: Data] {
    if String(validating: json, as: UTF8.self) == nil {
      throw Mistake("The contents are not UTF-8.")
    }
    var scanner = JSONScanner(bytes: json + [0])
    try scanner.scan()
    return scanner.fields.mapValues { json.dropFirst($0.lowerBound).prefix($0.count) }
  }

  /// Whether a value has more levels than a limit, or may have.
  static func isDeep(_ value: Data, limit: Int) -> Bool {
    var scanner = JSONScanner(bytes: Array("{a:".utf8) + value + Array("}\0".utf8))
    return (try? scanner.scan()) == nil || scanner.depth > limit + 1
  }

  private mutating func scan() throws(Mistake) {
    try skipSpace()
    guard next == "{" else { throw Mistake("There is no object.") }
    enter()
    while let last = open.last {
      if last == nil { try scanElements() } else { try scanField() }
    }
    try skipSpace()
    if position < bytes.count - 1 { throw Mistake("Something follows the object.") }
  }

  /// Scans up to the end of a field, or to the start of what it contains.
  private mutating func scanField() throws(Mistake) {
    try skipSpace()
    if take("}") { return try leave() }
    let name = try scanName()
    names.append((name.hashValue, name))
    try skipSpace()
    guard take(":") else { throw Mistake("The name \"\(name)\" has no value.") }
    try skipSpace()
    if open.count == 1 { current = (name, position) }
    switch next {
    case "{", "[": return enter()
    case "\"", "'": try skipText()
    default: try skipWord("The name \"\(name)\" has no value.")
    }
    try endField()
  }

  /// Scans to the end of an array, or to the start of what it contains.
  private mutating func scanElements() throws(Mistake) {
    while true {
      skip(to: "\"'[]{}/")
      switch next {
      case "\"", "'": try skipText()
      case "{", "[": return enter()
      case "/": try skipComment()
      default:
        guard take("]") else { throw Mistake("An array has no end.") }
        return try leave()
      }
    }
  }

  private mutating func enter() {
    open.append(next == "{" ? names.count : nil)
    depth = max(depth, open.count)
    position += 1
  }

  private mutating func leave() throws(Mistake) {
    if let first = open.removeLast() {
      // A set for each object would cost as much as decoding it. Equal names have equal hashes.
      let sorted = names[first...].sorted { $0.hash < $1.hash }
      for (one, other) in zip(sorted, sorted.dropFirst()) where one == other {
        throw Mistake("The name \"\(one.text)\" occurs twice in an object.")
      }
      names.removeSubrange(first...)
    }
    if let last = open.last, last != nil { try endField() }
  }

  private mutating func endField() throws(Mistake) {
    if open.count == 1 { fields[current.name] = current.start..<position }
    try skipSpace()
    if !take(","), next != "}" { throw Mistake("An object has no end.") }
  }

  private mutating func scanName() throws(Mistake) -> String {
    let start = position
    guard next == "\"" || next == "'" else {
      try skipWord("An object has no end.")
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    try skipText()
    let name = bytes[start + 1..<position - 1]
    if !name.contains(UInt8(ascii: "\\")) { return String(decoding: name, as: UTF8.self) }
    let decoded = try? SavedFormat.decode(String.self, from: Data(bytes[start..<position]))
    guard let decoded else { throw Mistake("A name cannot be decoded.") }
    return decoded
  }

  private var next: Unicode.Scalar { Unicode.Scalar(bytes[position]) }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    if next != character { return false }
    position += 1
    return true
  }

  private mutating func skipWord(_ otherwise: @autoclosure () -> String) throws(Mistake) {
    let start = position
    skip(to: " \t\n\r,:[]{}/\"'")
    if position == start { throw Mistake(otherwise()) }
  }

  private mutating func skipText() throws(Mistake) {
    let end: StaticString = next == "\"" ? "\"\\" : "'\\"
    position += 1
    skip(to: end)
    while take("\\") {
      if next != "\0" { position += 1 }
      skip(to: end)
    }
    if next == "\0" { throw Mistake("A text has no end.") }
    position += 1
  }

  private mutating func skipSpace() throws(Mistake) {
    skip(over: " \t\n\r")
    while next == "/" {
      try skipComment()
      skip(over: " \t\n\r")
    }
  }

  private mutating func skipComment() throws(Mistake) {
    position += 1
    if take("/") { return skip(to: "\n\r") }
    guard take("*") else { throw Mistake("A comment has no end.") }
    repeat {
      skip(to: "*")
      if !take("*") { throw Mistake("A comment has no end.") }
    } while !take("/")
  }

  // The system's functions are as fast in a debug build.
  private mutating func skip(to characters: StaticString) {
    unsafe skip { unsafe strcspn($0, characters.utf8Start) }
  }

  private mutating func skip(over characters: StaticString) {
    if next <= " " { unsafe skip { unsafe strspn($0, characters.utf8Start) } }
  }

  private mutating func skip(_ count: (UnsafePointer<UInt8>) -> Int) {
    position += unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe count($0 + position) } ?? 0
    }
  }
}
