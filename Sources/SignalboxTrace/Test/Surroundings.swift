extension Trace {
  /// How a test makes what a recording does not know.
  ///
  ///     let surroundings = Trace.Surroundings(
  ///       imports: ["@testable import Heating"],
  ///       setup: ["let sensor = Emitter<Double>()"],
  ///       subject: "hookable: Heating(sensor: sensor.signal)",
  ///       hooks: ["measured": "sensor.send($0)"])
  ///
  /// Properties are named as in `draft` or `settings.author`, without what the elements of a list are
  /// counted by: `notes.link` is that property of each note.
  public struct Surroundings: Sendable {
    /// Lines with the imports of the program.
    public var imports: [String]
    /// Lines that make what the store needs, such as emitters, a `TestClock` named `clock`, and a
    /// `TestEndpoint` for each name of a recorded endpoint.
    public var setup: [String]
    /// The state with which the test begins, as in `Chat()`; `nil` for a literal of the recorded one.
    public var state: String?
    /// The argument that `TestStore` gets after the state, as in `interactor: Chat(search: search)`.
    public var subject: String
    /// How the test makes a hook fire, by the name of the hook.
    ///
    /// `$0` stands for the value. A hook that fires only because another one does has an empty text.
    /// The name of a hook of a child follows its property, as in `rows.measured`.
    public var hooks: [String: String]
    /// The types of the interactors of children, by names such as `rows` or, for a screen or a case,
    /// `path.note`.
    ///
    /// `Editor?` stands for a child at an optional property, which statements then unwrap. The `?` is
    /// needed only if the property was never `nil` in the recording. A write to a part of a case goes
    /// through its child if it is named here.
    public var children: [String: String]
    /// The properties of the state whose types have initializers of their own, so that they have no
    /// literals, and the endpoints whose requests cannot be compared.
    public var withoutLiterals: [String]
    /// The parts of properties without literals that the test compares, as in `transcript.latest`.
    public var compared: [String]
    /// The properties whose parts cannot be written alone, because they are constants or have private
    /// setters.
    ///
    /// A change of a part is expected as a change of the whole. That also helps with an optional
    /// property that was never `nil` in the recording.
    public var wholes: [String]
    /// The default values of parameters of initializers, which literals leave out, by the type and
    /// the parameter, as in `["Note.isPinned": "false"]`.
    public var defaults: [String: String]
    /// The expressions of values that a recording has only as texts, such as those of enums with
    /// descriptions of their own, as in `["No room.": "RoomError.full"]`.
    public var expressions: [String: String]
    /// The expressions of redacted properties that come from outside, in the order in which they are
    /// written, as in `["password": ["\"short\"", "\"secret\""]]`.
    public var secrets: [String: [String]]

    /// Makes surroundings, whose properties say what each argument is.
    public init(
      imports: [String] = [], setup: [String] = [], state: String? = nil, subject: String,
      hooks: [String: String] = [:], children: [String: String] = [:],
      withoutLiterals: [String] = [], compared: [String] = [], wholes: [String] = [],
      defaults: [String: String] = [:], expressions: [String: String] = [:],
      secrets: [String: [String]] = [:]
    ) {
      self.imports = imports
      self.setup = setup
      self.state = state
      self.subject = subject
      self.hooks = hooks
      self.children = children
      self.withoutLiterals = withoutLiterals
      self.compared = compared
      self.wholes = wholes
      self.defaults = defaults
      self.expressions = expressions
      self.secrets = secrets
    }
  }
}
