extension ChildEvent: @MainActor CustomStringConvertible {
  /// The event on one line, as in `\.rows[id: 3]: finished RowAction.save after 3 ms`.
  ///
  /// Names no other events. The value that a hook has received and a change that was dropped are
  /// hidden, because an event alone does not tell what they are made of (D4).
  public var description: String {
    let style = EventStyle.line(value: EventStyle.text(of:)) { old, new in
      let diff = Diff(from: old, to: new, limits: Limits(lines: 4))
      return diff?.paths.joined(separator: ", ") ?? ""
    }
    let printer = EventPrinter<Any, Any>(style, names: { _ in nil }, isHidden: { _ in true })
    let text = printer.lines(of: event, named: printer.name(of: event)).first ?? "started"
    return path.isEmpty ? text : "\(path): \(text)"
  }
}
