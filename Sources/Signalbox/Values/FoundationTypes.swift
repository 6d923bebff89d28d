import Foundation

extension CGFloat: Presentable {}
extension Decimal: Presentable {}
extension UUID: Presentable {}
extension URL: Presentable { var shape: ValueShape { .leaf("URL(\(description))") } }
extension Data: Presentable { var shape: ValueShape { .data(self) } }

extension Date: Presentable {
  /// The date to the nanosecond in UTC, followed by the exact value if nanoseconds don't suffice.
  var shape: ValueShape {
    let since = timeIntervalSinceReferenceDate
    let seconds = since.rounded(.down)
    let nanoseconds = ((since - seconds) * 1e9).rounded()
    let exact = "\(since) s since 2001"
    // The bounds are the years 1 and 9999.
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

extension AttributedString: Presentable {
  var shape: ValueShape {
    let text = Field(key: .none, value: String(characters))
    var runs: [Field] = []
    for run in self.runs where run.attributes != AttributeContainer() {
      let start = characters.distance(from: startIndex, to: run.range.lowerBound)
      let end = characters.distance(from: startIndex, to: run.range.upperBound)
      let attributes = Verbatim(text: String(describing: run.attributes))
      runs.append(Field(key: .name("\(start)..<\(end)"), value: attributes))
    }
    return .parts(ValueParts("AttributedString", .fields([text] + runs)))
  }
}

/// A text that is shown without quotes, on one line.
private struct Verbatim: Equatable, Presentable {
  let text: String
  var shape: ValueShape {
    .leaf(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }
}

/// Whether a type belongs to the standard library, to Foundation or to another language.
package func isFromSystem(_ type: Any.Type) -> Bool {
  let name = String(reflecting: type)
  return ["Swift.", "Foundation.", "FoundationEssentials.", "Dispatch.", "__C."]
    .contains { name.hasPrefix($0) }
}
