/// Lays out the source of a test.
enum TestSource {
  private static let width = 100

  static func text(name: String, imports: [String], body: [String]) -> String {
    let needsFoundation = body.contains { line in
      ["UUID(", "URL(", "Date(", "Data(", "Decimal("].contains { line.contains($0) }
    }
    let own =
      ["Signalbox", "SignalboxTesting", "Testing"] + (needsFoundation ? ["Foundation"] : [])
    let plain = Set(own.map { "import \($0)" } + imports.filter { $0.hasPrefix("import ") })
    let others = imports.filter { !$0.hasPrefix("import ") }
    let lines = body.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
      .flatMap { fold(String($0), by: 2) }
    let effects = lines.contains { $0.contains("await ") } ? " async" : ""
    return
      (plain.sorted() + (others.isEmpty ? [] : [""] + others)
      + ["", "@MainActor @Test func \(name)()\(effects) {"] + lines + ["}"])
      .joined(separator: "\n") + "\n"
  }

  /// A call with a closure, on one line if it fits; an inexact one has the label `including:`.
  static func closure(
    _ call: String, _ statements: [String], _ comments: [String], isExact: Bool
  ) -> String {
    let isAlone = !call.hasSuffix(")")
    let (start, end) =
      isExact
      ? ("\(call) {", "}")
      : (isAlone ? "\(call)(including: {" : "\(call.dropLast()), including: {", "})")
    if comments.isEmpty, statements.count == 1, let statement = statements.first {
      let line = "\(start) \(statement) \(end)"
      if line.count + 2 <= width { return line }
    }
    let lines = statements + comments.map(comment)
    if isExact || isAlone {
      return "\(start)\n" + lines.map { "  \($0)\n" }.joined() + end
    }
    // Each argument stands on a line of its own.
    let (name, argument) = (
      call.prefix { $0 != "(" }, call.drop { $0 != "(" }.dropFirst().dropLast()
    )
    return "\(name)(\n  \(argument),\n  including: {\n" + lines.map { "    \($0)\n" }.joined()
      + "  })"
  }

  /// A comment on one line, whatever the recording has put into its text.
  static func comment(_ text: String) -> String {
    "// " + text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  // MARK: - Long lines

  /// Breaks a line that is too long within its brackets.
  private static func fold(_ line: String, by indentation: Int) -> [String] {
    let own = line.prefix { $0 == " " }.count
    return fold(String(line.dropFirst(own)), at: indentation + own)
  }

  private static func fold(_ text: String, at indentation: Int) -> [String] {
    let space = String(repeating: " ", count: indentation)
    guard indentation + text.count > width else { return [text.isEmpty ? "" : space + text] }
    if text.hasPrefix("//") { return foldComment(text, space) }
    guard let group = lastGroup(of: text) else { return [space + text] }
    let links = links(of: text)
    if let first = links.first, first != text,
      text.distance(from: group.lowerBound, to: group.upperBound) < 30
    {
      return [space + first] + links.dropFirst().flatMap { fold($0, at: indentation + 2) }
    }
    let head = String(text[...group.lowerBound])
    let inner = String(text[text.index(after: group.lowerBound)..<group.upperBound])
    let tail = String(text[group.upperBound...])
    if inner.isEmpty { return [space + text] }
    let isList = head.hasSuffix("[")
    // What follows a list or opens a closure stands on a line of its own.
    let standsAlone = isList || tail.hasSuffix("{")
    let deeper = indentation + 2
    let end = isList ? "," : standsAlone ? "" : tail
    var lines: [String] = []
    if deeper + inner.count + end.count <= width {
      lines = [String(repeating: " ", count: deeper) + inner + end]
    } else {
      let elements = split(inner)
      for (index, element) in elements.enumerated() {
        let isLast = index == elements.count - 1
        lines += fold(element + (isLast ? end : ","), at: deeper)
      }
    }
    return [space + head] + lines + (standsAlone ? [space + tail] : [])
  }

  private static func foldComment(_ text: String, _ space: String) -> [String] {
    var lines: [String] = []
    var line = space + "//"
    for word in text.dropFirst(2).split(separator: " ") {
      if line.count + 1 + word.count > width, line != space + "//" {
        lines.append(line)
        line = space + "//"
      }
      line += " \(word)"
    }
    return lines + [line]
  }

  /// The parts of a chain of calls, as in `store.child(\.a, A.self)?` and `.send(.b)`.
  private static func links(of text: String) -> [String] {
    parts(of: text) { index in
      text[index] == "." && (text[..<index].hasSuffix(")") || text[..<index].hasSuffix(")?"))
    }
  }

  /// The elements between the commas that are in no brackets.
  private static func split(_ text: String) -> [String] {
    parts(of: text) { text[$0] == "," }.map { String($0.drop { $0 == "," || $0 == " " }) }
  }

  private static func parts(of text: String, from isStart: (String.Index) -> Bool) -> [String] {
    let starts = outermost(of: text).filter(isStart)
    return zip([text.startIndex] + starts, starts + [text.endIndex]).map { String(text[$0..<$1]) }
  }

  /// The brackets of the last group that is in no other one.
  private static func lastGroup(of text: String) -> Range<String.Index>? {
    let places = outermost(of: text)
    guard let end = places.lastIndex(where: { text[$0] == ")" || text[$0] == "]" }), end > 0
    else { return nil }
    return places[end - 1]..<places[end]
  }

  /// The characters that are in no string and in no brackets, and those brackets.
  private static func outermost(of text: String) -> [String.Index] {
    var (depth, isString, isEscaped) = (0, false, false)
    var places: [String.Index] = []
    for index in text.indices {
      let character = text[index]
      if isEscaped {
        isEscaped = false
      } else if character == "\\" {
        isEscaped = isString
      } else if character == "\"" {
        isString.toggle()
      } else if !isString {
        // The arguments of a generic type, unlike an operator, follow a name or another bracket.
        let isOperator = [" ", ".", "-"].contains(text[..<index].last)
        if ")]}".contains(character) || character == ">" && !isOperator { depth -= 1 }
        if depth == 0 { places.append(index) }
        if "([{".contains(character) || character == "<" && !isOperator { depth += 1 }
      }
    }
    return places
  }
}
