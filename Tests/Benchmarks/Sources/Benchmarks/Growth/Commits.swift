import Signalbox

extension Growth {
  static let commits = Curve(
    name: "commits", title: "An action changes one element of an array, and is logged",
    axis: "elements", sizes: [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000],
    series: [
      Curve.Series("logged: numbers", .ours) { Logs.logged(Array(0..<$0)) },
      Curve.Series("logged: notes with ==", .ours) { Logs.logged((0..<$0).map(Note.init)) },
      Curve.Series("logged: notes without ==", .ours) { Logs.logged((0..<$0).map(Plain.init)) },
      Curve.Series("unlogged: notes", .floor) { Logs.unlogged((0..<$0).map(Note.init)) },
      Curve.Series("the old array of notes kept", .floor) { Logs.copied((0..<$0).map(Note.init)) },
    ])
}
