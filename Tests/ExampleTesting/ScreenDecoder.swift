/// Splits the bytes for a terminal into characters and sequences.
struct ScreenDecoder: Sendable {
  enum Item: Equatable {
    case character(Unicode.Scalar)
    case control(Unicode.Scalar)
    /// What follows an Escape.
    case sequence(String)
  }

  private var pending: [UInt8] = []

  /// Takes the next byte; returns `nil` if more bytes belong to the item.
  mutating func decode(_ byte: UInt8) -> Item? {
    pending.append(byte)
    guard isComplete else { return nil }
    defer { pending = [] }
    let text = String(decoding: pending, as: UTF8.self)
    guard let scalar = text.unicodeScalars.first else { return nil }
    if scalar == "\u{1B}" { return .sequence(String(text.dropFirst())) }
    return scalar.value < 0x20 || scalar.value == 0x7F ? .control(scalar) : .character(scalar)
  }

  private var isComplete: Bool {
    switch pending[0] {
    case 0x1B:
      pending.count > 1
        && (pending[1] != UInt8(ascii: "[")
          || (pending.count > 2 && (0x40...0x7E).contains(pending[pending.count - 1])))
    case 0xF0...: pending.count == 4
    case 0xE0...: pending.count == 3
    case 0xC0...: pending.count == 2
    default: true
    }
  }
}
