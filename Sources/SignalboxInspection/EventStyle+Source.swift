package import Signalbox

extension EventStyle {
  /// A line for each event, with values as Swift source and the first few changes.
  package static var source: EventStyle {
    .line(value: SourceFormatter.text(of:)) { old, new in
      let changes = SourceChanges(from: old, to: new)
      var texts = changes.all.prefix(3).map { $0.line(naming: $0.name) }
      let rest = changes.all.count - texts.count + changes.more
      if rest > 0, !texts.isEmpty { texts.append("… \(rest) more") }
      return texts.joined(separator: ", ")
    }
  }
}
