extension String {
  /// The text with unsafe characters escaped, as in `\u{1B}` for an escape.
  ///
  /// Unsafe characters are those that move the cursor, reorder the line or control the terminal.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isUnprintable {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var isUnprintable: Bool {
    if (0x20...0x7E).contains(value) { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return isBidirectional
    default: return false
    }
  }

  // The other invisible characters are kept, because some of them join several emoji into one.
  private var isBidirectional: Bool {
    (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
      || [0x200E, 0x200F, 0x061C].contains(value)
  }
}
