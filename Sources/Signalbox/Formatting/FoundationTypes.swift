import Foundation

extension CGFloat: Seen {}
extension Decimal: Seen {}
extension UUID: Seen {}
extension URL: Seen { var look: Look { .leaf("URL(\(description))") } }
extension Data: Seen { var look: Look { .data(self) } }

extension Date: Seen {
  /// To the nanosecond in UTC, and exactly where that does not tell it.
  var look: Look {
    let since = timeIntervalSinceReferenceDate
    let seconds = since.rounded(.down)
    let nanoseconds = ((since - seconds) * 1e9).rounded()
    let exact = "\(since) s since 2001"
    // From the year 1 to 9999.
    guard (-63_113_904_000..<252_423_993_600).contains(since), nanoseconds < 1e9 else {
      return .leaf("Date(\(exact))")
    }
    let whole = Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601).dropLast()
    let digits = String(Int(nanoseconds))
    let fraction = String(repeating: "0", count: 9 - digits.count) + digits
    let text = "\(whole).\(fraction)Z"
    return .leaf(seconds + nanoseconds / 1e9 == since ? text : "\(text) (\(exact))")
  }
}

extension AttributedString: Seen {
  /// Its text, and its runs where they have attributes.
  var look: Look {
    let text = Field(key: .none, value: String(characters))
    var runs: [Field] = []
    for run in self.runs where run.attributes != AttributeContainer() {
      let start = characters.distance(from: startIndex, to: run.range.lowerBound)
      let end = characters.distance(from: startIndex, to: run.range.upperBound)
      let attributes = Verbatim(text: String(describing: run.attributes))
      runs.append(Field(key: .name("\(start)..<\(end)"), value: attributes))
    }
    return .parts(Parts("AttributedString", .fields([text] + runs)))
  }
}

/// A text that is shown without quotes, on one line.
private struct Verbatim: Equatable, Seen {
  let text: String
  var look: Look {
    .leaf(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }
}
