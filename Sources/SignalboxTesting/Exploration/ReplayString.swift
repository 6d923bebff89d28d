/// The choices of an order as a string, each with what it was.
///
///     b=search-ab.a=search-a       the second call, which was search("ab"), then the first
///
/// A label is optional, so a string can also be written by hand. A choice whose label differs is
/// another one, and the replay is refused (I9).
@MainActor struct ReplayString {
  struct Step {
    let token: String
    /// The short label of the choice; `nil` if the string does not say.
    var label: String?

    var text: String { label.map { "\(token)=\($0)" } ?? token }
  }

  let steps: [Step]

  /// All tokens but the ends have labels.
  init(_ tokens: [String], labels: [String]) {
    var labels = labels.makeIterator()
    steps = tokens.map { token in
      Step(
        token: token,
        label: token == Choice.end ? nil : labels.next().map { Self.short($0, of: token) })
    }
  }

  init(parsing text: String) throws(Unreadable) {
    var steps: [Step] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: text.isEmpty) {
      let fields = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let token = fields.first,
        token.wholeMatch(of: /[a-z]+!?|[+>]?[0-9]+|![0-9]+[a-z]+|-/) != nil
      else {
        throw Unreadable(step: steps.count + 1, part: String(part))
      }
      steps.append(Step(token: String(token), label: fields.dropFirst().first.map(String.init)))
    }
    self.steps = steps
  }

  struct Unreadable: Error {
    let step: Int
    let part: String

    var text: String {
      """
      Step \(step) of the replay, "\(part)", is not a choice. A choice is a call as in b, its failure \
      as in b!, a timer as in 2, an optional event as in +1, an action of the list as in >1, a fault \
      as in !3a, or the end of a run, which is -. A label may follow, as in b=search-ab, and dots \
      separate the choices.
      """
    }
  }

  var text: String { steps.map(\.text).joined(separator: ".") }

  /// A label without what a string literal cannot hold, and with a hash if anything else is lost;
  /// that of a fault is longer, because its last word tells it from others.
  static func short(_ label: String, of token: String) -> String {
    // The case of an action begins with a dot.
    let label = label.replacing("send(.", with: "send(")
    let (limit, text) =
      Choice.isFault(token)
      ? (60, label)
      : (24, label.replacing(" answers", with: "").replacing(" fails", with: ""))
    let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    let short = words.joined(separator: "-")
    let isWhole = label.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || " ()\"".contains($0))
    }
    if isWhole, short.count <= limit { return short }
    // FNV-1a, because the hash must be the same in each run.
    let hash = label.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return "\(short.prefix(limit))~\(String(hash & 0xffff, radix: 16))"
  }
}
