/// Decodes the bytes of a terminal in raw mode into keys, even if a read has split a sequence.
package struct KeyDecoder {
  private var pending: [UInt8] = []
  private var isPasting = false

  private static let escape: UInt8 = 0x1B
  private static let endOfPaste: [UInt8] = Array("\u{1B}[201~".utf8)

  package init() {}

  /// Whether an Escape is pending, which may be the key itself or the start of a sequence.
  package var isUndecided: Bool { !isPasting && pending == [Self.escape] }

  /// Treats a pending Escape as the key itself, because no more bytes have arrived.
  package mutating func decide() -> Key? {
    guard isUndecided else { return nil }
    pending = []
    return .escape
  }

  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let (key, length) = isPasting ? pastedText() : nextKey() {
      pending.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// The first key and its length in bytes.
  ///
  /// The key is `nil` if the bytes have no meaning here. The result is `nil` if bytes are missing.
  private mutating func nextKey() -> (Key?, Int)? {
    guard let first = pending.first else { return nil }
    switch first {
    case Self.escape: return sequence()
    case 0x20..<0x7F, 0x80...: return text()
    default: return (control(first), 1)
    }
  }

  private func control(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x0A, 0x0D: .enter
    case 0x08, 0x7F: .backspace
    case 0x09: .tab
    case 0x01: .home
    case 0x02: .left
    case 0x03: .interrupt
    case 0x04: .endOfInput
    case 0x05: .end
    case 0x06: .right
    case 0x0B: .deleteToEnd
    case 0x0C: .redraw
    case 0x15: .deleteToStart
    case 0x17: .deleteWord
    case 0x1A: .suspend
    default: nil
    }
  }

  private mutating func sequence() -> (Key?, Int)? {
    guard pending.count > 1 else { return nil }
    switch pending[1] {
    case UInt8(ascii: "["):
      guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
        // No sequence is that long. Without a limit, an incomplete one would swallow what is typed.
        return pending.count > 32 ? (nil, pending.count) : nil
      }
      let parameters = String(decoding: pending[2..<end], as: UTF8.self)
      if pending[end] == UInt8(ascii: "~"), parameters == "200" { isPasting = true }
      return (key(final: pending[end], parameters), end + 1)
    case UInt8(ascii: "O"):
      guard pending.count > 2 else { return nil }
      return (key(final: pending[2], ""), 3)
    case 0x7F:
      return (.deleteWord, 2)
    default:
      // This is the Escape key itself. The next byte was typed after it.
      return (.escape, 1)
    }
  }

  private func key(final: UInt8, _ parameters: String) -> Key? {
    switch (Character(Unicode.Scalar(final)), parameters) {
    case ("A", _): .up
    case ("B", _): .down
    case ("C", _): .right
    case ("D", _): .left
    case ("Z", _): .backTab
    case ("H", _), ("~", "1"), ("~", "7"): .home
    case ("F", _), ("~", "4"), ("~", "8"): .end
    case ("~", "3"): .delete
    case ("~", "5"): .pageUp
    case ("~", "6"): .pageDown
    default: nil
    }
  }

  private func text() -> (Key?, Int)? {
    let run = pending.prefix { $0 >= 0x20 && $0 != 0x7F }
    let complete = run.count == pending.count ? run.dropLast(Self.incomplete(run)) : run
    guard !complete.isEmpty else { return nil }
    return (Self.text(complete), complete.count)
  }

  /// The pasted text so far.
  ///
  /// Line ends become spaces, so that a paste does not send a message.
  private mutating func pastedText() -> (Key?, Int)? {
    if let end = pending.firstRange(of: Self.endOfPaste) {
      isPasting = false
      let pasted = pending[..<end.lowerBound]
      return (pasted.isEmpty ? nil : Self.text(pasted), end.upperBound)
    }
    // The end of the paste may be split, too.
    let held = (1..<Self.endOfPaste.count).last { pending.suffix($0) == Self.endOfPaste.prefix($0) }
    let pasted = pending.dropLast(held ?? Self.incomplete(pending[...]))
    guard !pasted.isEmpty else { return nil }
    return (Self.text(pasted), pasted.count)
  }

  /// The number of bytes at the end that are the start of an incomplete character.
  private static func incomplete(_ bytes: ArraySlice<UInt8>) -> Int {
    for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte >= 0xC0 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
      return index + 1 < length ? index + 1 : 0
    }
    return 0
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> Key? {
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars.compactMap { scalar in
      switch scalar {
      case "\n", "\r", "\t": " " as Unicode.Scalar
      // The terminal is not set to UTF-8.
      case "\u{FFFD}": nil
      default: scalar.properties.generalCategory == .control ? nil : scalar
      }
    }
    return text.isEmpty ? nil : .text(String(String.UnicodeScalarView(text)))
  }
}
